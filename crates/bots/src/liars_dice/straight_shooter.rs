//! `straight-shooter`, third in the challenge.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Action, LiarsDice, View};

use super::actions::{bid, call, non_wild_faces};
use super::hand_counts::HandCounts;

/// Bids on the face whose expected number of dice is nearest to the last count, and calls impossible bids.
pub(super) struct StraightShooter;

impl Bot<LiarsDice> for StraightShooter {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let own = HandCounts::new(view.dice);
        let all = view.dice_in_play();
        let (count, lowest) = match view.last_bid() {
            None => (2, 2),
            Some(last) => {
                let next = last.face().pips() + 1;
                let others = non_wild_faces().filter(|face| face.pips() != next);
                let impossible: u32 = others.map(|face| own.showing(face)).sum();
                if last.count() > all - impossible {
                    return call();
                }
                if next > 6 { (last.count() + 1, 2) } else { (last.count(), next) }
            }
        };
        let lowest = Face::new(lowest).expect("2 to 6");
        let hidden = view.hidden_dice();
        // Three times the distance between the expected number and the count, without its own ones.
        let distance = |face: Face| (3 * own.showing(face) + hidden).abs_diff(3 * count);
        let here = non_wild_faces().filter(|face| *face >= lowest).map(|face| (count, face));
        let higher =
            (count + 1..=all).flat_map(|count| non_wild_faces().map(move |face| (count, face)));
        let candidates = here.take_while(|_| count <= all).chain(higher.take(5));
        match candidates.min_by_key(|(_, face)| distance(*face)) {
            Some((count, face)) => bid(count, face),
            None => bid(count, lowest),
        }
    }
}
