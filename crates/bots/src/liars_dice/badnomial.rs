//! `badnomial`, the winner of the challenge.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, Odds, View};

use super::actions::{bid, call, non_wild_faces};
use super::hand_counts::HandCounts;
use dicehill_rules::Face;

/// Raises if the dice of its best face exceed the bid. Otherwise it compares the odds of its own bid, of the bidder's bid and of the next
/// player's.
pub(super) struct Badnomial;

impl Bot<LiarsDice> for Badnomial {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let Some(last) = view.last_bid() else {
            return bid(2, Face::ALL[1]);
        };
        let own = HandCounts::new(view.dice);
        let best = non_wild_faces()
            .max_by_key(|face| own.counting(*face))
            .expect("there are five faces that are not wild");
        let mine = own.counting(best);
        let above = (mine, best) > (last.count(), last.face());
        if !above && doubts(view, last, &own, best) { call() } else { bid(last.count() + 1, best) }
    }
}

/// Whether the last bid should be called.
fn doubts(view: &View<'_>, last: Bid, own: &HandCounts, best: Face) -> bool {
    let all = view.dice_in_play();
    let hidden = view.hidden_dice();
    let holds = |position: usize| u32::from(view.counts[position]);
    let (bidder, next) = (holds(view.previous_position()), holds(view.next_position()));
    let count = i64::from(last.count());
    let need = count - i64::from(own.counting(best)) + i64::from(best <= last.face());
    let need_bidder = count - i64::from(own.counting(last.face())) - i64::from(bidder / 3 + 1);
    let need_next = need - i64::from(next / 3 + 1);
    let mine = Odds::with_wild_ones(hidden, need);
    let theirs = Odds::with_wild_ones(all - next, need_next);
    let held = Odds::with_wild_ones(hidden - bidder, need_bidder);
    (mine.is_unlikely() && theirs.is_unlikely()) || 5 * held.favourable < held.all
}
