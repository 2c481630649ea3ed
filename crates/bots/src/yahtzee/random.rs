//! The player that knows nothing.

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::yahtzee::{Action, Keep, View, Yahtzee};

use crate::draw::Draw;

/// Ways to keep some of five dice in the order shown.
const KEEPS: u32 = 32;

/// Chooses evenly among the legal boxes and, before the last roll, the 32 subsets of dice to keep.
pub(super) struct Random {
    draw: Draw,
}

impl Default for Random {
    fn default() -> Self {
        Self { draw: Draw::new(0) }
    }
}

impl Bot<Yahtzee> for Random {
    fn start(&mut self, start: &Start) {
        self.draw = Draw::new(start.seed);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let legal = view.legal();
        let fills = legal.len() as u32;
        let keeps = if view.may_keep() { KEEPS } else { 0 };
        let choice = self.draw.below(fills + keeps);
        Ok(match legal.iter().nth(choice as usize) {
            Some(category) => Action::Fill(category),
            None => Action::Keep(Keep::from_mask((choice - fills) as u8)),
        })
    }
}
