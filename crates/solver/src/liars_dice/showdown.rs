//! What a called bid is worth.

use super::hands::Hands;
use super::round::{Step, count, face};

/// Most dice of one hand, and none.
const COUNTS: usize = 10;

/// Writes, for each hand, what it gets from a bid that is called: 1 for each of the other's chances if it wins, -1 if it loses.
/// `is_bidder` says whether the hands are those of who made the bid.
#[inline(always)]
pub(super) fn settle(
    step: Step,
    is_bidder: bool,
    hands: &Hands,
    others: &Hands,
    reach: &[f32],
    values: &mut [f32],
) {
    let mut at_least = [0.0f32; COUNTS + 1];
    for (chance, counting) in reach.iter().zip(others.counting(face(step))) {
        at_least[usize::from(*counting)] += chance;
    }
    for counting in (0..COUNTS).rev() {
        at_least[counting] += at_least[counting + 1];
    }
    let sign = if is_bidder { 1.0 } else { -1.0 };
    let mut by_own = [0.0f32; COUNTS];
    for (own, value) in by_own.iter_mut().enumerate().take(usize::from(hands.dice()) + 1) {
        let missing = usize::from(count(step)).saturating_sub(own).min(COUNTS);
        *value = sign * (2.0 * at_least[missing] - at_least[0]);
    }
    for (value, own) in values.iter_mut().zip(hands.counting(face(step))) {
        *value = by_own[usize::from(*own) % COUNTS];
    }
}

/// The same in double precision, for certificates.
pub(super) fn settle_exactly(
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
