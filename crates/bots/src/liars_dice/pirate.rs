//! `pirate`, fifth in the challenge.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::actions::{bid, call};
use super::hand_counts::HandCounts;

/// Bids on the face that it holds most of, and counts on a quarter of the hidden dice.
pub(super) struct Pirate;

impl Bot<LiarsDice> for Pirate {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = HandCounts::new(view.dice);
        let most = Face::ALL.map(|face| own.counting(face)).into_iter().max();
        let most = most.expect("there are six faces");
        let best = Face::ALL.into_iter().find(|face| own.counting(*face) == most);
        let best = best.expect("some face has the most");
        let Some(last) = view.last_bid() else {
            return bid(most + 1, best);
        };
        let held = own.counting(last.face());
        if held > last.count() {
            return bid(held + 2, last.face());
        }
        let hidden = view.hidden_dice();
        if last.count() > hidden + held {
            return call();
        }
        // With fewer than four hidden dice the range is empty.
        let is_above = |extra: &u32| (most + extra, best) > (last.count(), last.face());
        let raise = (1..=hidden / 4).find(is_above);
        raise.map_or_else(call, |extra| bid(most + extra, best))
    }
}
