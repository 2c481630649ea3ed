//! The player that looks to the end of its turn and guesses what comes after.

mod turn;
mod worth;

use dicehill_arena::{Bot, Failure};
use dicehill_rules::yahtzee::{Action, Keep, Scorecard, View, Yahtzee};
use dicehill_solver::yahtzee::Hand;

use turn::Turn;
use worth::{Rolled, Worth};

/// Ways to keep some of five dice in the order shown.
const KEEPS: u8 = 32;
/// Values as close as this are the same, so that no rounding decides.
const SAME: f64 = 1e-9;

/// Plays a turn as well as can be, if filling a box is worth what it scores and what it does for
/// both bonuses, less what the box is worth while it is free.
///
/// Of actions with the same value it takes the first: boxes come in the order of the card, then
/// keeps in the order of [`Keep::from_mask`].
#[derive(Default)]
pub(super) struct Greedy {
    /// The turn last solved: the rolls of a turn share it. It follows from its card, so that what
    /// was seen before decides nothing.
    turn: Option<Turn>,
}

impl Bot<Yahtzee> for Greedy {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let (worth, rolled) = (Worth::new(view.card), Rolled::new(view.dice));
        let mut best = worth.fills(&rolled).map(|(_, value)| value).fold(f64::MIN, f64::max);
        if view.may_keep() {
            let shown = Hand::of_roll(&view.dice);
            best = best.max(self.turn(view.card).best(view.stage, shown));
        }
        let is_best = |value: f64| value >= best - SAME;
        let mut fills = worth.fills(&rolled);
        if let Some((category, _)) = fills.find(|(_, value)| is_best(*value)) {
            return Ok(Action::Fill(category));
        }
        let turn = self.turn(view.card);
        let mut keeps = (0..KEEPS).map(Keep::from_mask);
        let first =
            keeps.find(|keep| is_best(turn.keep(view.stage, Hand::kept(*keep, &view.dice))));
        Ok(Action::Keep(first.expect("a part of the dice is the best one")))
    }
}

impl Greedy {
    fn turn(&mut self, card: &Scorecard) -> &Turn {
        let known = self.turn.take().filter(|turn| turn.is_of(card));
        self.turn.insert(known.unwrap_or_else(|| Turn::new(card)))
    }
}
