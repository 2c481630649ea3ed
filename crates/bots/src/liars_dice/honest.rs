//! `honest`, which bids only what it believes.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::actions::{bid, call, non_wild_faces};
use super::hand_counts::HandCounts;

/// Makes the lowest bid that does not exceed its own dice plus a third of the hidden ones, on the face that it holds most of. Calls if
/// there is none.
pub(super) struct Honest;

impl Bot<LiarsDice> for Honest {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = HandCounts::new(view.dice);
        let hidden = view.hidden_dice();
        let believed = |face: Face| own.counting(face) + hidden / 3;
        let lowest = |face: Face| match view.last_bid() {
            None => 1,
            Some(last) => last.count() + u32::from(face <= last.face()),
        };
        let believable = non_wild_faces().filter(|face| lowest(*face) <= believed(*face));
        match believable.max_by_key(|face| own.counting(*face)) {
            Some(face) => bid(lowest(face), face),
            // There is a bid to call: every player holds a die, so that a first bid of one is always believed.
            None => call(),
        }
    }
}
