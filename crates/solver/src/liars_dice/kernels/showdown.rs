//! What a called bid is worth.

use crate::liars_dice::game::hands::Hands;
use crate::liars_dice::game::round::{Step, count, face};
use crate::liars_dice::kernels::rows::{add_weighted, dot};

/// Most dice of one hand, and none.
const COUNTS: usize = 10;

/// Writes, for each hand, what it gets from a bid that is called: 1 for each of the other's chances if it wins, -1 if it loses.
/// `is_bidder` says whether the hands are those of who made the bid.
#[inline(always)]
pub(crate) fn settle(
    step: Step,
    is_bidder: bool,
    hands: &Hands,
    others: &Hands,
    reach: &[f32],
    values: &mut [f32],
) {
    let (claimed, face) = (usize::from(count(step)), face(step));
    let most = usize::from(others.dice());
    let mut at_least = [0.0f32; COUNTS + 1];
    let fewest = claimed.saturating_sub(hands.dice().into());
    at_least[0] = dot(reach, others.at_least(face, 0));
    let wanted = fewest.max(1)..claimed.min(most) + 1;
    for (number, chance) in at_least.iter_mut().enumerate().take(wanted.end).skip(wanted.start) {
        *chance = dot(reach, others.at_least(face, number));
    }
    let sign = if is_bidder { 1.0 } else { -1.0 };
    let worth =
        |own: usize| sign * (2.0 * at_least[claimed.saturating_sub(own).min(COUNTS)] - at_least[0]);
    values.fill(worth(0));
    for own in 1..=hands.dice().into() {
        let more = worth(own) - worth(own - 1);
        if more != 0.0 {
            add_weighted(hands.at_least(face, own), more, values);
        }
    }
}

/// The same in double precision, for certificates.
pub(crate) fn settle_exactly(
    step: Step,
    is_bidder: bool,
    hands: &Hands,
    others: &Hands,
    reach: &[f64],
    values: &mut [f64],
) {
    let mut at_least = [0.0f64; COUNTS + 1];
    for (chance, counting) in reach.iter().zip(others.counting(face(step))) {
        at_least[usize::from(*counting)] += chance;
    }
    for counting in (0..COUNTS).rev() {
        at_least[counting] += at_least[counting + 1];
    }
    let sign = if is_bidder { 1.0 } else { -1.0 };
    for (value, own) in values.iter_mut().zip(hands.counting(face(step))) {
        let missing = usize::from(count(step).saturating_sub(*own)).min(COUNTS);
        *value = sign * (2.0 * at_least[missing] - at_least[0]);
    }
}
