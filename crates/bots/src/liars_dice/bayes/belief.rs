//! Beliefs about hidden dice, inferred from the bids of the round.

use dicehill_rules::Face;
use dicehill_rules::liars_dice::{Bid, View};

use crate::liars_dice::fair_dice::fair_chance;

/// Dice inferred in the bidder's hand for each die by which a bid exceeds the expectation of fair dice. The rest is attributed to
/// bluffing and to the bidder's own inferences.
const INFERRED_SHARE: f64 = 1.0 / 3.0;
/// Upper bound of the inferred probability of a die.
const MAX_PROBABILITY: f64 = 0.75;

/// The probability that a die of the player at `position` counts for a bid on `face`, if the player's last bid of the round was on that
/// face. `None` if it was not: the dice are then taken to be fair.
///
/// Players bid on faces that they hold. A player that bids on its most frequent face holds about one standard deviation more of it than
/// fair dice would give. A bid below the expectation of fair dice is weaker evidence, in proportion; a bid above it is stronger. Given
/// the bid, dice are still taken to be independent, which is exact if the likelihood of a bid grows geometrically with the dice that
/// count for it.
pub(super) fn inferred_chance(view: &View<'_>, position: usize, face: Face) -> Option<f64> {
    let bid = last_bid_of(view, position).filter(|bid| bid.face() == face)?;
    let fair = fair_chance(face);
    let dice = f64::from(view.counts[position]);
    let expected = f64::from(view.dice_in_play()) * fair;
    let count = f64::from(bid.count());
    let deviation = (dice * fair * (1.0 - fair)).sqrt();
    let excess =
        deviation * (count / expected).min(1.0) + INFERRED_SHARE * (count - expected).max(0.0);
    Some((fair + excess / dice).min(MAX_PROBABILITY))
}

/// The last bid in this round of another player.
fn last_bid_of(view: &View<'_>, position: usize) -> Option<Bid> {
    let players = view.players();
    let bids_ago = (view.you + players - position) % players;
    let index = view.bids.len().checked_sub(bids_ago)?;
    view.bids.get(index).copied()
}
