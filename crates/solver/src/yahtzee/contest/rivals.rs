//! A model of rivals that maximise their expected score, estimated from simulated games.

use dicehill_rules::yahtzee::Roll;
use dicehill_rules::{Chance, Dice, Face, Seat};

use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::values::solution::Solution;

/// The number of simulated games.
const GAMES: u64 = 20_000;
/// The number of tables with several rivals, assembled from the simulated games.
const TABLES: usize = 4_000;
/// The number of quantiles that represent a distribution.
const QUANTILES: usize = 64;
/// Rounds of a game.
const ROUNDS: usize = 13;

/// The scores of a game after each round, beginning with 0.
type ScoreTrajectory = [u16; ROUNDS + 1];

/// The rivals at a table, who maximise their expected score.
pub struct Rivals {
    pub(crate) count: usize,
    pub(crate) before: usize,
    /// By number of filled boxes.
    pub(crate) final_scores: Vec<FinalScoreModel>,
}

/// How a player's target moves in games against the rivals.
pub(crate) struct TargetMoves {
    /// By the player's free boxes after its turn: the moves of the target until its next turn.
    moves: Vec<Vec<f64>>,
    /// By free boxes: the standard deviation of the sum of the player's points to come and the
    /// target's moves to come.
    uncertainty: Vec<f64>,
}

/// The distribution of the final score given the score at some number of filled boxes: linear
/// regression plus residuals.
pub(crate) struct FinalScoreModel {
    /// The intercept of the mean.
    pub(crate) at_zero: f64,
    /// The slope of the mean for each point of the current score.
    pub(crate) slope: f64,
    /// Residual quantiles, ascending and equally likely.
    pub(crate) deviations: Vec<f64>,
}

impl Rivals {
    /// Models `count` rivals, at least one, and the moves of the target in games with them. `before` of
    /// the rivals play their turns before the player. `None` if it is stopped.
    pub(crate) fn new(
        solution: &Solution,
        count: usize,
        before: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<(Self, TargetMoves)> {
        let chance = Chance::new("rivals");
        let simulate = |game| (!is_stopped()).then(|| simulate_game(solution, &chance, game));
        let games: Vec<_> = (1..=GAMES).map(simulate).collect::<Option<_>>()?;
        let final_scores =
            (0..=ROUNDS).map(|filled| FinalScoreModel::new(&games, filled)).collect();
        let rivals = Self { count, before, final_scores };
        let moves = TargetMoves::new(&rivals, &games);
        Some((rivals, moves))
    }

    /// The expected final score of the best rival at the player's turn of `round`, 1 to 13.
    ///
    /// `scores` are the rivals' scores in any order; `before` is how many of them have already
    /// played this round.
    #[must_use]
    pub fn target(&self, round: u32, before: usize, scores: &[u32]) -> f64 {
        let share = before as f64 / scores.len().max(1) as f64;
        let filled = (f64::from(round) - 1.0 + share).clamp(0.0, ROUNDS as f64);
        self.best_of(scores.iter().map(|score| (filled, *score)))
    }

    /// The number of rivals that play their turns before the player.
    #[must_use]
    pub const fn count_before(&self) -> usize {
        self.before
    }

    /// [`Rivals::target`] before the first turn of the game.
    #[must_use]
    pub fn first_target(&self) -> f64 {
        self.best_of((0..self.count).map(|_| (0.0, 0)))
    }

    /// At a table, after the player has filled `filled` boxes: the target then, after the rivals'
    /// next turns, and at the end.
    fn targets(&self, table: &[&ScoreTrajectory], filled: usize) -> [f64; 3] {
        let at = |rounds: [usize; 2]| {
            let scores = table.iter().enumerate().map(|(rival, trajectory)| {
                let filled = rounds[usize::from(rival >= self.before)];
                (filled as f64, u32::from(trajectory[filled]))
            });
            self.best_of(scores)
        };
        let next = if filled == 0 { [1, 0] } else { [(filled + 1).min(ROUNDS), filled] };
        [at([filled, filled.saturating_sub(1)]), at(next), at([ROUNDS; 2])]
    }

    fn mean(&self, filled: f64, score: u32) -> f64 {
        let (below, share) = (filled.floor(), filled - filled.floor());
        let of = |filled: usize| self.final_scores[filled].mean(score);
        let low = of(below as usize);
        if share > 0.0 { low + share * (of(below as usize + 1) - low) } else { low }
    }

    /// The expected maximum of the final scores, given filled boxes and score of each rival.
    fn best_of(&self, rivals: impl Iterator<Item = (f64, u32)>) -> f64 {
        /// The step of the numerical integration in points.
        const STEP: f64 = 4.0;
        let rivals: Vec<_> = rivals
            .map(|(filled, score)| {
                (self.mean(filled, score), &self.final_scores[filled.round() as usize])
            })
            .collect();
        if let [(mean, _)] = rivals.as_slice() {
            return *mean;
        }
        // The maximum is not below the highest of the lowest quantiles.
        let lowest =
            rivals.iter().map(|(mean, of)| mean + of.deviations[0]).fold(f64::MIN, f64::max);
        let mut best = lowest;
        for steps in 0.. {
            let score = lowest + (f64::from(steps) + 0.5) * STEP;
            let all_below: f64 =
                rivals.iter().map(|(mean, of)| of.share_below(score - mean)).product();
            if all_below >= 1.0 {
                break;
            }
            best += STEP * (1.0 - all_below);
        }
        best
    }
}

impl TargetMoves {
    fn new(rivals: &Rivals, games: &[ScoreTrajectory]) -> Self {
        let tables = tables(games, rivals.count);
        let (mut moves, mut uncertainty) = (Vec::new(), Vec::new());
        for free in 0..=ROUNDS {
            let filled = ROUNDS - free;
            let targets: Vec<_> =
                tables.iter().map(|table| rivals.targets(table, filled)).collect();
            let own =
                games.iter().map(|trajectory| f64::from(trajectory[ROUNDS] - trajectory[filled]));
            let target = targets.iter().map(|[now, _, end]| end - now);
            uncertainty.push((variance(own) + variance(target)).sqrt());
            moves.push(targets.iter().map(|[now, next, _]| next - now).collect());
        }
        Self { moves, uncertainty }
    }

    /// A target that never moves. The uncertainty, and so the range of the grid, stays the same.
    pub(crate) fn with_fixed_target(self) -> Self {
        Self { moves: vec![vec![0.0]; ROUNDS + 1], ..self }
    }

    pub(crate) fn after(&self, free: usize) -> &[f64] {
        &self.moves[free]
    }

    pub(crate) fn uncertainty(&self, free: usize) -> f64 {
        self.uncertainty[free]
    }
}

impl FinalScoreModel {
    fn new(games: &[ScoreTrajectory], filled: usize) -> Self {
        let pairs = || {
            games
                .iter()
                .map(|trajectory| (f64::from(trajectory[filled]), f64::from(trajectory[ROUNDS])))
        };
        let games = games.len() as f64;
        let mean_score = pairs().map(|(score, _)| score).sum::<f64>() / games;
        let mean_end = pairs().map(|(_, end)| end).sum::<f64>() / games;
        let product = |(score, end): (f64, f64)| (score - mean_score) * (end - mean_end);
        let square = |(score, _): (f64, f64)| (score - mean_score) * (score - mean_score);
        let (products, squares): (f64, f64) =
            (pairs().map(product).sum(), pairs().map(square).sum());
        let slope = if squares > 0.0 { products / squares } else { 0.0 };
        let at_zero = mean_end - slope * mean_score;
        let mut deviations: Vec<_> =
            pairs().map(|(score, end)| end - at_zero - slope * score).collect();
        deviations.sort_by(f64::total_cmp);
        let quantile = |index| deviations[(2 * index + 1) * deviations.len() / (2 * QUANTILES)];
        let deviations = (0..QUANTILES).map(quantile).collect();
        Self { at_zero, slope, deviations }
    }

    fn mean(&self, score: u32) -> f64 {
        self.at_zero + self.slope * f64::from(score)
    }

    /// The probability that the final score is below the mean plus `deviation`.
    fn share_below(&self, deviation: f64) -> f64 {
        self.deviations.partition_point(|one| *one < deviation) as f64 / QUANTILES as f64
    }
}

/// Tables of `count` games; each game is at equally many tables.
fn tables(games: &[ScoreTrajectory], count: usize) -> Vec<Vec<&ScoreTrajectory>> {
    let tables = if count == 1 { games.len() } else { TABLES };
    let of =
        |table: usize| (0..count).map(move |rival| &games[(table + rival * 1009) % games.len()]);
    (0..tables).map(|table| of(table).collect()).collect()
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|value| (value - mean) * (value - mean)).sum::<f64>() / count
}

/// Simulates one game that maximises the expected score.
fn simulate_game(solution: &Solution, chance: &Chance, game: u64) -> ScoreTrajectory {
    let dice = chance.table(game);
    let (mut position, mut score) = (Position::START, 0);
    let mut trajectory = [0; ROUNDS + 1];
    for (round, later) in (1..).zip(&mut trajectory[1..]) {
        let turn = solution.turn(position);
        let mut hand = Hand::EMPTY;
        for stage in 0..3 {
            let mut roll: Roll = [Face::ONE; 5];
            let missing = 5 - hand.len();
            if missing > 0 {
                dice.roll(Seat::new(0), round, stage, &mut roll[..missing]);
                hand = roll[..missing]
                    .iter()
                    .fold(hand, |hand, die| hand.with_die(*die).unwrap_or(hand));
            }
            if stage < 2 {
                hand = turn.best_keep(stage, hand);
            }
        }
        let (category, _) = solution.best_fill(position, hand).expect("a box for each round");
        let (gain, next) = position.fill(solution.variant(), category, hand);
        (position, score) = (next, score + gain);
        *later = score as u16;
    }
    trajectory
}
