//! The player that knows nothing.

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::{bid, liar};
use crate::draw::Draw;

/// Chooses evenly among the call and every higher bid up to the number of dice on the table.
pub(super) struct Random {
    draw: Draw,
}

impl Default for Random {
    fn default() -> Self {
        Self { draw: Draw::new(0) }
    }
}

impl Bot<LiarsDice> for Random {
    fn start(&mut self, start: &Start) {
        self.draw = Draw::new(start.seed);
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        // Bids are numbered from 0, "1 1", in their order.
        let all = 6 * view.dice_in_play();
        let (first, calls) = match view.last_bid() {
            None => (0, 0),
            Some(last) => (last.value() - 6, 1),
        };
        let choice = self.draw.below(all.saturating_sub(first) + calls);
        if choice < calls {
            return liar();
        }
        let number = first + choice - calls;
        bid(number / 6 + 1, Face::ALL[(number % 6) as usize])
    }
}
