//! Rewards.

use dicehill_rules::yahtzee::{Action, Yahtzee};
use dicehill_rules::{Game, Seat};
use dicehill_solver::yahtzee::{Hand, Position, Solution, Turn};

use crate::environment_game::Due;

/// What is paid for, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YahtzeeReward {
    /// At the end of a game, the points of the challenge: 1 for each player with the highest score, else 0. The default for two players
    /// and more.
    Points,
    /// At the end of a game, the score: 0 to 1575. The default for solitaire.
    Score,
    /// After each action, by how much each player's score has risen: 0 for a keep. The sum over a game is the score.
    ScoreGained,
    /// After each action, the loss of the decision as a negative number: the expected score of optimal play after it, less the expected
    /// score of the best action. The last action of a game also pays the value of the empty card ([`Solution::start`], 254.59 by the
    /// official rules). For solitaire.
    ///
    /// The sum over a game is the score less the luck of its rolls. The luck of a roll is the value after it less the value before it,
    /// which is the mean over all rolls; so its expectation is 0 given all that went before, whatever the policy. The sum therefore has
    /// the expectation of the score for *every* policy; it varies far less the closer the policy is to optimal play,
    /// and more for a random one (`docs/environments.md` has figures).
    LuckAdjusted,
}

/// What is remembered to pay rewards.
#[derive(Default)]
pub struct RewardState {
    /// Scores by seat, as last paid.
    scores: Vec<u32>,
    /// The turn solved last.
    turn: Option<Box<(Position, Turn)>>,
    /// The loss of the last action, a negative number.
    advantage: f64,
}

/// Remembers the loss of an action, if the reward depends on it.
#[inline]
pub(super) fn before_action(
    game: &Yahtzee,
    reward: YahtzeeReward,
    state: &mut RewardState,
    action: &Action,
) {
    if reward == YahtzeeReward::LuckAdjusted {
        state.advantage = advantage(game, &mut state.turn, action);
    }
}

/// The value of an action less that of the best one.
fn advantage(game: &Yahtzee, turn: &mut Option<Box<(Position, Turn)>>, action: &Action) -> f64 {
    let card = &game.cards()[game.to_act().expect("a seat is to act").index()];
    let solution = Solution::shared(card.rules().into());
    let (position, dice) = (Position::from_scorecard(card), game.dice());
    let cached = turn.take().filter(|turn| turn.0 == position);
    let turn = turn.insert(cached.unwrap_or_else(|| Box::new((position, solution.turn(position)))));
    let (hand, stage) = (Hand::from_roll(dice), game.stage());
    let best = match solution.best_fill(position, hand) {
        Some((_, value)) if stage == 2 => value,
        _ => turn.1.best(stage, hand),
    };
    let value = match action {
        Action::Keep(keep) => turn.1.keep(stage, Hand::from_keep(*keep, dice)),
        Action::Fill(category) => {
            solution.fill(position, *category, hand).expect("the action is legal")
        }
    };
    // Both sides are sums of the same numbers in another order.
    (value - best).min(0.0)
}

/// Pays what is due by seat.
#[inline]
pub(super) fn pay(
    game: &Yahtzee,
    due: Due<YahtzeeReward>,
    state: &mut RewardState,
    mut pay: impl FnMut(Seat, f32),
) {
    let Due { reward, players, is_over } = due;
    match reward {
        YahtzeeReward::Points if is_over => {
            Seat::all(players).for_each(|seat| pay(seat, game.result(seat).points as f32));
        }
        YahtzeeReward::Score if is_over => {
            Seat::all(players)
                .for_each(|seat| pay(seat, game.cards()[seat.index()].score() as f32));
        }
        YahtzeeReward::Points | YahtzeeReward::Score => {}
        YahtzeeReward::ScoreGained => {
            state.scores.resize(players, 0);
            for seat in Seat::all(players) {
                let (score, paid) =
                    (game.cards()[seat.index()].score(), &mut state.scores[seat.index()]);
                pay(seat, (score - *paid) as f32);
                *paid = score;
            }
        }
        YahtzeeReward::LuckAdjusted => {
            let rules = game.cards()[0].rules();
            let start = if is_over { Solution::shared(rules.into()).start() } else { 0.0 };
            pay(Seat::new(0), (start + state.advantage) as f32);
        }
    }
}
