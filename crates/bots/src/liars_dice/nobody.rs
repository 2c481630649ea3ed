//! `nobody`, second in the challenge, in its second version.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::actions::{bid, call, non_wild_faces};
use super::hand_counts::HandCounts;

/// Values each face by its own dice plus a bonus that grows as its share of the dice shrinks. Bids the best face if that is above the last
/// bid, and raises by one more against a bidder with many dice.
pub(super) struct Nobody;

impl Bot<LiarsDice> for Nobody {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let Some(last) = view.last_bid() else {
            return bid(1, Face::ALL[1]);
        };
        let own = HandCounts::new(view.dice);
        let all = view.dice_in_play();
        let bonus = all / view.dice.len() as u32 + own.ones();
        let value = |face: Face| own.showing(face) + bonus;
        let best = non_wild_faces().map(|face| (value(face), face)).max();
        let (count, face) = best.expect("there are five faces that are not wild");
        let many = 5 * u32::from(view.counts[view.previous_position()]) > 2 * all;
        let called = last.face();
        if (count, face) > (last.count(), called) {
            bid(count, face)
        } else if many && called != Face::ONE && value(called) + 2 >= last.count() {
            bid(last.count() + 1, called)
        } else {
            call()
        }
    }
}
