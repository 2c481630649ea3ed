//! How a kind of player bids and calls.

use super::claim::{Claim, Manner, SUPPORTS, TRUSTS};

/// What is known of a kind of player, or of one player.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Style {
    /// The chance that it calls a bid, by how far it can trust it.
    pub(super) calls: [f64; TRUSTS],
    /// How it bids, by [`Manner`].
    pub(super) bids: [Bidding; 4],
}

/// How hands lead to bids of one manner: how many times likelier than others a hand is to have made a bid.
///
/// A hand's likelihood is that of its support times that of its trust in the bid, or a mean of such
/// products: so it is kept by both.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Bidding(pub(super) [[f64; TRUSTS]; SUPPORTS]);

impl Bidding {
    pub(super) fn product(support: &[f64; SUPPORTS], trust: &[f64; TRUSTS]) -> Self {
        Self(support.map(|support| trust.map(|trust| support * trust)))
    }

    /// Of a hand of which `held` dice count.
    pub(super) fn likelihood(&self, claim: Claim, held: usize) -> f64 {
        self.0[claim.support(held)][claim.trust(held)]
    }
}

impl Style {
    /// Of a player that nothing is known of.
    pub(super) const NONE: Self =
        Self { calls: [0.0; TRUSTS], bids: [const { Bidding([[0.0; TRUSTS]; SUPPORTS]) }; 4] };

    pub(super) fn bidding(&self, manner: Manner) -> &Bidding {
        &self.bids[manner as usize]
    }

    /// The chance that it calls a bid if `held` of its dice count for it.
    pub(super) fn call(&self, claim: Claim, held: usize) -> f64 {
        self.calls[claim.trust(held)]
    }

    /// Adds a share of another style.
    pub(super) fn add(&mut self, share: f64, other: &Self) {
        for (sum, with) in self.calls.iter_mut().zip(&other.calls) {
            *sum += share * with;
        }
        for (sum, with) in self.bids.iter_mut().zip(&other.bids) {
            for (sum, with) in sum.0.as_flattened_mut().iter_mut().zip(with.0.as_flattened()) {
                *sum += share * with;
            }
        }
    }
}
