//! The player that looks to the end of its turn and guesses what comes after.

mod turn;
mod worth;

use dicehill_arena::{Bot, Failure};
use dicehill_rules::yahtzee::{Action, Keep, Roll, Scorecard, View, Yahtzee};
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
        let mut choices = fills(view);
        if view.may_keep() {
            choices.extend(self.keeps(view));
        }
        Ok(first_of_the_best(&choices))
    }
}

/// An action and what it is worth.
type Choice = (Action, f64);

impl Greedy {
    fn keeps(&mut self, view: &View<'_>) -> impl Iterator<Item = Choice> {
        let turn = self.turn(view.card);
        let View { dice, stage, .. } = *view;
        (0..KEEPS).map(move |mask| {
            let keep = Keep::from_mask(mask);
            (Action::Keep(keep), turn.keep(stage, kept(keep, &dice)))
        })
    }

    fn turn(&mut self, card: &Scorecard) -> &Turn {
        let known = self.turn.take().filter(|turn| turn.is_of(card));
        self.turn.insert(known.unwrap_or_else(|| Turn::new(card)))
    }
}

fn fills(view: &View<'_>) -> Vec<Choice> {
    let (worth, rolled) = (Worth::new(view.card), Rolled::new(view.dice));
    worth.fills(&rolled).map(|(category, value)| (Action::Fill(category), value)).collect()
}

fn kept(keep: Keep, dice: &Roll) -> Hand {
    Hand::of(keep.indexes().map(|index| dice[index])).expect("five dice at most are kept")
}

fn first_of_the_best(choices: &[Choice]) -> Action {
    let best = choices.iter().map(|(_, value)| *value).fold(f64::MIN, f64::max);
    let first = choices.iter().find(|(_, value)| *value >= best - SAME);
    first.expect("a player to act has a free box").0
}
