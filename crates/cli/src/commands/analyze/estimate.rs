//! Means with their errors, in text.

use dicehill_coach::Estimate;

use crate::board::plus_minus;

/// `2.47 ± 0.10`, with half the width of the 95 % interval.
pub(super) fn in_text(estimate: Estimate) -> String {
    plus_minus(estimate.mean, estimate.interval())
}
