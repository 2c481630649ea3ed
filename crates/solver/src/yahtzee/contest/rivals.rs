//! What rivals are expected to reach, learned from games that maximise their mean.

use dicehill_rules::yahtzee::Roll;
use dicehill_rules::{Chance, Dice, Face, Seat};

use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::values::solution::Solution;

/// Games that are played to learn from.
const GAMES: u64 = 20_000;
/// Tables of several rivals that are put together from them.
const TABLES: usize = 4_000;
/// Values that stand for a distribution.
const QUANTILES: usize = 64;
/// Rounds of a game.
const ROUNDS: usize = 13;

/// The scores of a game after each round, from 0 before the first.
type Course = [u16; ROUNDS + 1];

/// The rivals at a table, as a player knows them: by their scores.
pub struct Rivals {
    pub(crate) count: usize,
    pub(crate) before: usize,
    /// By boxes filled.
    pub(crate) outlooks: Vec<FinalScore>,
}

/// How the target of a player moves in games against such rivals.
pub(crate) struct Moves {
    /// By free boxes of the player after its turn: how the target moved until its next turn.
    moves: Vec<Vec<f64>>,
    /// By free boxes: the standard deviation of the player's and the target's points to come.
    uncertainty: Vec<f64>,
}

/// The final score of somebody who has filled so many boxes, given the score then.
pub(crate) struct FinalScore {
    /// The mean is a linear function of the score: this one at 0.
    pub(crate) at_zero: f64,
    /// And this for each point.
    pub(crate) slope: f64,
    /// Deviations from the mean, ascending, each as likely.
    pub(crate) deviations: Vec<f64>,
}

impl Rivals {
    /// `count` rivals that maximise their mean, at least one, of whom `before` play their turns before the player, and
    /// what comes of games with them.
    pub(crate) fn new(solution: &Solution, count: usize, before: usize) -> (Self, Moves) {
        let chance = Chance::new("rivals");
        let courses: Vec<_> = (1..=GAMES).map(|game| course(solution, &chance, game)).collect();
        let outlooks = (0..=ROUNDS).map(|filled| FinalScore::new(&courses, filled)).collect();
        let rivals = Self { count, before, outlooks };
        let moves = Moves::new(&rivals, &courses);
        (rivals, moves)
    }

    /// The final score that is expected of the best rival, in the player's turn of this round, 1 to 13.
    ///
    /// `scores` are the rivals' in any order, and `before` is how many of them have had their turn in this round.
    #[must_use]
    pub fn target(&self, round: u32, before: usize, scores: &[u32]) -> f64 {
        let share = before as f64 / scores.len().max(1) as f64;
        let filled = (f64::from(round) - 1.0 + share).clamp(0.0, ROUNDS as f64);
        self.best_of(scores.iter().map(|score| (filled, *score)))
    }

    /// How many of them play their turns before the player.
    #[must_use]
    pub const fn before(&self) -> usize {
        self.before
    }

    /// [`Rivals::target`] before the first turn of the game.
    #[must_use]
    pub fn first_target(&self) -> f64 {
        self.best_of((0..self.count).map(|_| (0.0, 0)))
    }

    /// Of a table, after the player has filled so many boxes: the target then, after the rivals' next turns, and at the end.
    fn targets(&self, table: &[&Course], filled: usize) -> [f64; 3] {
        let at = |rounds: [usize; 2]| {
            let scores = table.iter().enumerate().map(|(rival, course)| {
                let filled = rounds[usize::from(rival >= self.before)];
                (filled as f64, u32::from(course[filled]))
            });
            self.best_of(scores)
        };
        let next = if filled == 0 { [1, 0] } else { [(filled + 1).min(ROUNDS), filled] };
        [at([filled, filled.saturating_sub(1)]), at(next), at([ROUNDS; 2])]
    }

    fn mean(&self, filled: f64, score: u32) -> f64 {
        let (below, share) = (filled.floor(), filled - filled.floor());
        let of = |filled: usize| self.outlooks[filled].mean(score);
        let low = of(below as usize);
        if share > 0.0 { low + share * (of(below as usize + 1) - low) } else { low }
    }

    /// The mean of the highest final score, given boxes filled and score of each.
    fn best_of(&self, rivals: impl Iterator<Item = (f64, u32)>) -> f64 {
        /// Points from one value to the next of the distribution that is summed up.
        const STEP: f64 = 4.0;
        let rivals: Vec<_> = rivals
            .map(|(filled, score)| {
                (self.mean(filled, score), &self.outlooks[filled.round() as usize])
            })
            .collect();
        if let [(mean, _)] = rivals.as_slice() {
            return *mean;
        }
        // Nobody's best is below the highest of the lowest.
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

impl Moves {
    fn new(rivals: &Rivals, courses: &[Course]) -> Self {
        let tables = tables(courses, rivals.count);
        let (mut moves, mut uncertainty) = (Vec::new(), Vec::new());
        for free in 0..=ROUNDS {
            let filled = ROUNDS - free;
            let targets: Vec<_> =
                tables.iter().map(|table| rivals.targets(table, filled)).collect();
            let own = courses.iter().map(|course| f64::from(course[ROUNDS] - course[filled]));
            let target = targets.iter().map(|[now, _, end]| end - now);
            uncertainty.push((variance(own) + variance(target)).sqrt());
            moves.push(targets.iter().map(|[now, next, _]| next - now).collect());
        }
        Self { moves, uncertainty }
    }

    /// As if the target never moved. It is as uncertain at the beginning, so that all that it may be is told apart.
    pub(crate) fn of_a_known_target(self) -> Self {
        Self { moves: vec![vec![0.0]; ROUNDS + 1], ..self }
    }

    pub(crate) fn after(&self, free: usize) -> &[f64] {
        &self.moves[free]
    }

    pub(crate) fn uncertainty(&self, free: usize) -> f64 {
        self.uncertainty[free]
    }
}

impl FinalScore {
    fn new(courses: &[Course], filled: usize) -> Self {
        let pairs =
            || courses.iter().map(|course| (f64::from(course[filled]), f64::from(course[ROUNDS])));
        let games = courses.len() as f64;
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

    /// The probability of a final score that deviates from the mean by less.
    fn share_below(&self, deviation: f64) -> f64 {
        self.deviations.partition_point(|one| *one < deviation) as f64 / QUANTILES as f64
    }
}

/// Tables of so many games, each game at as many tables.
fn tables(courses: &[Course], count: usize) -> Vec<Vec<&Course>> {
    let tables = if count == 1 { courses.len() } else { TABLES };
    let of = |table: usize| {
        (0..count).map(move |rival| &courses[(table + rival * 1009) % courses.len()])
    };
    (0..tables).map(|table| of(table).collect()).collect()
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|value| (value - mean) * (value - mean)).sum::<f64>() / count
}

/// A game that maximises the mean.
fn course(solution: &Solution, chance: &Chance, game: u64) -> Course {
    let dice = chance.table(game);
    let (mut position, mut score) = (Position::START, 0);
    let mut course = [0; ROUNDS + 1];
    for (round, later) in (1..).zip(&mut course[1..]) {
        let turn = solution.turn(position);
        let mut hand = Hand::EMPTY;
        for stage in 0..3 {
            let mut roll: Roll = [Face::ONE; 5];
            let missing = 5 - hand.len();
            if missing > 0 {
                dice.roll(Seat::new(0), round, stage, &mut roll[..missing]);
                hand =
                    roll[..missing].iter().fold(hand, |hand, die| hand.with(*die).unwrap_or(hand));
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
    course
}
