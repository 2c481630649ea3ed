//! How a kind of player bids.

use super::claim::{Claim, SUPPORTS, TRUSTS};

/// How hands lead to bids of one manner: how many times likelier than others a hand is to have made a bid is
/// the product of the factor of its support and that of its trust in the bid.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Factors {
    pub(super) support: [f64; SUPPORTS],
    pub(super) trust: [f64; TRUSTS],
}

impl Factors {
    /// The bound of what is learned of one player.
    const MOST: f64 = 100.0;

    /// Those that make no hand likelier.
    pub(super) const NONE: Self = Self { support: [1.0; SUPPORTS], trust: [1.0; TRUSTS] };

    /// Multiplies by 1 and so many steps of each difference, which lie between -1 and 1. Factors stay within bounds: what is never
    /// seen would else come to nothing, in a life long enough, and with it all that can be said.
    pub(super) fn grow(&mut self, step: f64, by: &Self) {
        let grow = |(factor, by): (&mut f64, &f64)| {
            *factor = (*factor * (1.0 + step * by)).clamp(1.0 / Self::MOST, Self::MOST);
        };
        self.support.iter_mut().zip(&by.support).for_each(grow);
        self.trust.iter_mut().zip(&by.trust).for_each(grow);
    }

    /// Of a hand of which `held` dice count.
    pub(super) fn likelihood(&self, claim: Claim, held: usize) -> f64 {
        self.support[claim.support(held)] * self.trust[claim.trust(held)]
    }
}
