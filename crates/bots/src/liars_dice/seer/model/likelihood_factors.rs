//! How hands lead to bids, as a log-linear model.

use crate::liars_dice::seer::features::bid_context::{BidContext, SUPPORT_BINS, TRUST_BINS};

/// The model of one kind of bid: the relative likelihood of a hand given the bid is the product of the factor of its support bin and
/// that of its trust bin.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LikelihoodFactors {
    pub(crate) support: [f64; SUPPORT_BINS],
    pub(crate) trust: [f64; TRUST_BINS],
}

impl LikelihoodFactors {
    /// Upper bound of a factor that was learned of one player; its reciprocal is the lower bound.
    const MAX: f64 = 100.0;

    /// Factors of 1, by which every hand is equally likely.
    pub(crate) const NONE: Self = Self { support: [1.0; SUPPORT_BINS], trust: [1.0; TRUST_BINS] };

    /// Multiplies each factor by 1 + `step` x the gradient, whose components are -1 to 1. Factors stay within bounds: otherwise the
    /// factor of a bin that is never observed would decay to 0 in a long run, and all likelihoods with it.
    pub(crate) fn ascend(&mut self, step: f64, gradient: &Self) {
        let grow = |(factor, slope): (&mut f64, &f64)| {
            *factor = (*factor * (1.0 + step * slope)).clamp(1.0 / Self::MAX, Self::MAX);
        };
        self.support.iter_mut().zip(&gradient.support).for_each(grow);
        self.trust.iter_mut().zip(&gradient.trust).for_each(grow);
    }

    /// The relative likelihood of a hand of which `held` dice count for the bid.
    pub(crate) fn likelihood(&self, context: BidContext, held: usize) -> f64 {
        self.support[context.support_bin(held)] * self.trust[context.trust_bin(held)]
    }
}
