//! The third of the challenge.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::own::Own;
use super::{bid, liar, plain_faces};

/// Bids the face whose expected number is nearest to the last count, and calls what cannot be.
pub(super) struct StraightShooter;

impl Bot<LiarsDice> for StraightShooter {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = Own::new(view.dice);
        let all = view.dice_in_play();
        let (count, lowest) = match view.last_bid() {
            None => (2, 2),
            Some(last) => {
                let next = last.face().pips() + 1;
                let others = plain_faces().filter(|face| face.pips() != next);
                let impossible: u32 = others.map(|face| own.showing(face)).sum();
                if last.count() > all - impossible {
                    return liar();
                }
                if next > 6 { (last.count() + 1, 2) } else { (last.count(), next) }
            }
        };
        let lowest = Face::new(lowest).expect("2 to 6");
        let hidden = view.hidden_dice();
        // Three times the distance of the expected number from the count, ones of its own left out.
        let distance = |face: Face| (3 * own.showing(face) + hidden).abs_diff(3 * count);
        let here = plain_faces().filter(|face| *face >= lowest).map(|face| (count, face));
        let higher =
            (count + 1..=all).flat_map(|count| plain_faces().map(move |face| (count, face)));
        let looked_at = here.take_while(|_| count <= all).chain(higher.take(5));
        match looked_at.min_by_key(|(_, face)| distance(*face)) {
            Some((count, face)) => bid(count, face),
            None => bid(count, lowest),
        }
    }
}
