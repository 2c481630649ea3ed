//! The winner of the challenge.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::liars_dice::{Action, Bid, LiarsDice, Odds, View};

use super::own::Own;
use super::{bid, liar, plain_faces};
use dicehill_rules::Face;

/// Raises as long as its best face alone is above the bid; else weighs the odds of its own bid, of
/// the bidder's and of the next player's.
pub(super) struct Badnomial;

impl Bot<LiarsDice> for Badnomial {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let Some(last) = view.last_bid() else {
            return bid(2, Face::ALL[1]);
        };
        let own = Own::new(view.dice);
        let best = plain_faces()
            .max_by_key(|face| own.counting(*face))
            .expect("there are five plain faces");
        let mine = own.counting(best);
        let above = (mine, best) > (last.count(), last.face());
        if !above && doubts(view, last, &own, best) { liar() } else { bid(last.count() + 1, best) }
    }
}

fn doubts(view: &View<'_>, last: Bid, own: &Own, best: Face) -> bool {
    let all = view.dice_in_play();
    let hidden = view.hidden_dice();
    let holds = |position: usize| u32::from(view.counts[position]);
    let (bidder, next) = (holds(view.before()), holds(view.after()));
    let count = i64::from(last.count());
    let need = count - i64::from(own.counting(best)) + i64::from(best <= last.face());
    let need_bidder = count - i64::from(own.counting(last.face())) - i64::from(bidder / 3 + 1);
    let need_next = need - i64::from(next / 3 + 1);
    let mine = Odds::thirds(hidden, need);
    let theirs = Odds::thirds(all - next, need_next);
    let held = Odds::thirds(hidden - bidder, need_bidder);
    (mine.is_unlikely() && theirs.is_unlikely()) || 5 * held.favourable < held.all
}
