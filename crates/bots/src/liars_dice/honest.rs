//! The player that says what it believes.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::own::Own;
use super::{bid, liar, plain_faces};

/// Makes the lowest bid that its own dice and the expected third of the hidden ones bear out, on
/// the face it holds most of; calls when there is none.
pub(super) struct Honest;

impl Bot<LiarsDice> for Honest {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = Own::new(view.dice);
        let hidden = view.hidden_dice();
        let believed = |face: Face| own.counting(face) + hidden / 3;
        let lowest = |face: Face| match view.last_bid() {
            None => 1,
            Some(last) => last.count() + u32::from(face <= last.face()),
        };
        let borne_out = plain_faces().filter(|face| lowest(*face) <= believed(*face));
        match borne_out.max_by_key(|face| own.counting(*face)) {
            Some(face) => bid(lowest(face), face),
            // There is a bid to call: one die, which every player holds, bears out the first one.
            None => liar(),
        }
    }
}
