//! The values of hands when a bid is called.

use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{BidIndex, Round, bid_count, bid_face};
use crate::liars_dice::kernels::rows::{add_weighted, dot};

/// The largest number of matching dice: all that can be on the table.
const MAX_MATCHING: usize = Round::MAX_DICE as usize;

/// Writes the counterfactual value of each hand when the bid is called: the opponent's reach
/// probability, positive where the hand wins and negative where it loses. `is_bidder` says whether
/// the hands are the bidder's.
#[inline(always)]
pub(crate) fn showdown_values(
    bid: BidIndex,
    is_bidder: bool,
    hands: &Hands,
    opponents: &Hands,
    reach: &[f32],
    values: &mut [f32],
) {
    let (claimed, face) = (usize::from(bid_count(bid)), bid_face(bid));
    let most = usize::from(opponents.dice());
    let mut at_least = [0.0f32; MAX_MATCHING + 1];
    let fewest = claimed.saturating_sub(hands.dice().into());
    at_least[0] = dot(reach, opponents.at_least(face, 0));
    let wanted = fewest.max(1)..claimed.min(most) + 1;
    for (number, chance) in at_least.iter_mut().enumerate().take(wanted.end).skip(wanted.start) {
        *chance = dot(reach, opponents.at_least(face, number));
    }
    let sign = if is_bidder { 1.0 } else { -1.0 };
    let value_with = |own: usize| {
        sign * (2.0 * at_least[claimed.saturating_sub(own).min(MAX_MATCHING)] - at_least[0])
    };
    values.fill(value_with(0));
    for own in 1..=hands.dice().into() {
        let more = value_with(own) - value_with(own - 1);
        if more != 0.0 {
            add_weighted(hands.at_least(face, own), more, values);
        }
    }
}

/// [`showdown_values`] in double precision, for certificates.
pub(crate) fn showdown_values_f64(
    bid: BidIndex,
    is_bidder: bool,
    hands: &Hands,
    opponents: &Hands,
    reach: &[f64],
    values: &mut [f64],
) {
    let mut at_least = [0.0f64; MAX_MATCHING + 1];
    for (chance, matching) in reach.iter().zip(opponents.matching(bid_face(bid))) {
        at_least[usize::from(*matching)] += chance;
    }
    for matching in (0..MAX_MATCHING).rev() {
        at_least[matching] += at_least[matching + 1];
    }
    let sign = if is_bidder { 1.0 } else { -1.0 };
    for (value, own) in values.iter_mut().zip(hands.matching(bid_face(bid))) {
        let missing = usize::from(bid_count(bid).saturating_sub(*own)).min(MAX_MATCHING);
        *value = sign * (2.0 * at_least[missing] - at_least[0]);
    }
}
