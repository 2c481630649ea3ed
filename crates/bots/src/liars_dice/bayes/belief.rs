//! What the bids of a round tell about the hands behind them.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, View};

/// How many dice of a hand are inferred from each die by which a bid exceeds what chance alone puts
/// on the table. The rest is taken for boldness, or for what the bidder has inferred itself.
const MEANT: f64 = 1.0 / 3.0;
/// No bid makes a die likelier than this.
const LIKELIEST: f64 = 0.75;

/// The chance that a die counts for a bid on `face` if nothing is known of it.
pub(super) fn fair_chance(face: Face) -> f64 {
    if face == Face::ONE { 1.0 / 6.0 } else { 1.0 / 3.0 }
}

/// The chance that a die of the player at `position` counts for a bid on `face`, if the player's
/// last bid of the round was on that face; `None` if it was not, and the dice are taken to be fair.
///
/// Bidders name faces that they hold, and whoever names the one it holds most of has about a
/// standard deviation more of it than chance gives. A bid below what chance alone puts on the table
/// tells less, in proportion, and one above it tells more. Given the bid, dice are again taken to be
/// independent, which Bayes' rule bears out if the likelihood of a bid grows geometrically with the
/// dice that count for it.
pub(super) fn told_chance(view: &View<'_>, position: usize, face: Face) -> Option<f64> {
    let bid = last_bid_of(view, position).filter(|bid| bid.face() == face)?;
    let fair = fair_chance(face);
    let dice = f64::from(view.counts[position]);
    let expected = f64::from(view.dice_in_play()) * fair;
    let count = f64::from(bid.count());
    let deviation = (dice * fair * (1.0 - fair)).sqrt();
    let more = deviation * (count / expected).min(1.0) + MEANT * (count - expected).max(0.0);
    Some((fair + more / dice).min(LIKELIEST))
}

/// The last bid of the round at a position other than the viewer's.
fn last_bid_of(view: &View<'_>, position: usize) -> Option<Bid> {
    let players = view.players();
    let bids_ago = (view.you + players - position) % players;
    let index = view.bids.len().checked_sub(bids_ago)?;
    view.bids.get(index).copied()
}
