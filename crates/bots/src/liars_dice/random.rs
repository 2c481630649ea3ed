//! `random`, which plays at random.

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::actions::{bid, call};
use crate::split_mix64::SplitMix64;

/// Chooses uniformly among the call and all higher bids up to the number of dice on the table.
pub(super) struct Random {
    rng: SplitMix64,
}

impl Default for Random {
    fn default() -> Self {
        Self { rng: SplitMix64::new(0) }
    }
}

impl Bot<LiarsDice> for Random {
    fn start(&mut self, start: &Start) {
        self.rng = SplitMix64::new(start.seed);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        // Bids are numbered in ascending order; number 0 is "1 1".
        let all = 6 * view.dice_in_play();
        let (first, calls) = match view.last_bid() {
            None => (0, 0),
            Some(last) => (last.value() - 6, 1),
        };
        let choice = self.rng.below(all.saturating_sub(first) + calls);
        if choice < calls {
            return call();
        }
        let number = first + choice - calls;
        bid(number / 6 + 1, Face::ALL[(number % 6) as usize])
    }
}
