//! `random`, which plays at random.

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::yahtzee::{Action, Keep, View, Yahtzee};

use crate::split_mix64::SplitMix64;

/// Number of subsets of five dice.
const KEEPS: u32 = 32;

/// Chooses uniformly among the legal boxes and, before the last roll, the 32 subsets of dice to keep.
pub(super) struct Random {
    rng: SplitMix64,
}

impl Default for Random {
    fn default() -> Self {
        Self { rng: SplitMix64::new(0) }
    }
}

impl Bot<Yahtzee> for Random {
    fn start(&mut self, start: &Start) {
        self.rng = SplitMix64::new(start.seed);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let legal = view.legal();
        let fills = legal.len() as u32;
        let keeps = if view.may_keep() { KEEPS } else { 0 };
        let choice = self.rng.below(fills + keeps);
        Ok(match legal.iter().nth(choice as usize) {
            Some(category) => Action::Fill(category),
            None => Action::Keep(Keep::from_mask((choice - fills) as u8)),
        })
    }
}
