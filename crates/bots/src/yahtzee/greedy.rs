//! `greedy`, which optimises its turn with a heuristic value of the rest of the game.

mod fill_values;
mod turn_values;

use dicehill_arena::{Bot, Failure};
use dicehill_rules::yahtzee::{Action, Keep, Scorecard, View, Yahtzee};
use dicehill_solver::yahtzee::Hand;

use fill_values::{FillValues, ScoredRoll};
use turn_values::TurnValues;

/// Number of subsets of five dice.
const KEEPS: u8 = 32;
/// Values within this of the best count as equal, so that rounding does not decide.
const TOLERANCE: f64 = 1e-9;

/// Plays each turn optimally under the assumption that filling a box is worth its score, plus its effect on both bonuses, minus the value
/// of the free box.
///
/// Of actions with equal values it takes the first: boxes in the order of the card, then keeps in the order of [`Keep::from_mask`].
#[derive(Default)]
pub(super) struct Greedy {
    /// The turn solved last, as a cache for the rolls of a turn. It is a function of the card, so that earlier turns do not affect
    /// decisions.
    turn: Option<TurnValues>,
}

impl Bot<Yahtzee> for Greedy {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let (values, roll) = (FillValues::new(view.card), ScoredRoll::new(view.dice));
        let mut best = values.fills(&roll).map(|(_, value)| value).fold(f64::MIN, f64::max);
        if view.may_keep() {
            let shown = Hand::from_roll(&view.dice);
            best = best.max(self.turn(view.card).best(view.stage, shown));
        }
        let is_best = |value: f64| value >= best - TOLERANCE;
        let mut fills = values.fills(&roll);
        if let Some((category, _)) = fills.find(|(_, value)| is_best(*value)) {
            return Ok(Action::Fill(category));
        }
        let turn = self.turn(view.card);
        let mut keeps = (0..KEEPS).map(Keep::from_mask);
        let first =
            keeps.find(|keep| is_best(turn.keep(view.stage, Hand::from_keep(*keep, &view.dice))));
        Ok(Action::Keep(first.expect("some subset of the dice has the best value")))
    }
}

impl Greedy {
    fn turn(&mut self, card: &Scorecard) -> &TurnValues {
        let cached = self.turn.take().filter(|turn| turn.is_of(card));
        self.turn.insert(cached.unwrap_or_else(|| TurnValues::new(card)))
    }
}
