//! The second of the challenge, in its second version.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::own::Own;
use super::{bid, liar, plain_faces};

/// Values each face by its own dice and a bonus that grows as it holds fewer; bids the best one if
/// it is above the last bid, and raises once more against somebody who holds many dice.
pub(super) struct Nobody;

impl Bot<LiarsDice> for Nobody {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let Some(last) = view.last_bid() else {
            return bid(1, Face::ALL[1]);
        };
        let own = Own::new(view.dice);
        let all = view.dice_in_play();
        let bonus = all / view.dice.len() as u32 + own.ones();
        let value = |face: Face| own.showing(face) + bonus;
        let best = plain_faces().map(|face| (value(face), face)).max();
        let (count, face) = best.expect("there are five plain faces");
        let many = 5 * u32::from(view.counts[view.before()]) > 2 * all;
        let called = last.face();
        if (count, face) > (last.count(), called) {
            bid(count, face)
        } else if many && called != Face::ONE && value(called) + 2 >= last.count() {
            bid(last.count() + 1, called)
        } else {
            liar()
        }
    }
}
