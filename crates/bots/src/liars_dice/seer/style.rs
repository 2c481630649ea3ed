//! How a kind of player bids and calls.

use super::claim::{Claim, Company, Manner, SUPPORTS, TRUSTS};

/// What is known of a kind of player, or of one player.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Style {
    /// Among two, and among more.
    pub(super) among: [Habits; 2],
}

/// How it plays at tables of one kind.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Habits {
    /// The chance that it calls a bid, by how far it can trust it.
    pub(super) calls: [f64; TRUSTS],
    /// How it bids, by [`Manner`].
    pub(super) bids: [Bidding; 4],
}

/// What a hand's likelihood is made of.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Factors {
    pub(super) support: [f64; SUPPORTS],
    pub(super) trust: [f64; TRUSTS],
}

impl Factors {
    /// Multiplies by 1 and so many steps of each difference, which lie between -1 and 1.
    pub(super) fn grow(&mut self, step: f64, by: &Self) {
        let grow = |(factor, by): (&mut f64, &f64)| *factor *= 1.0 + step * by;
        self.support.iter_mut().zip(&by.support).for_each(grow);
        self.trust.iter_mut().zip(&by.trust).for_each(grow);
    }

    /// Those that make no hand likelier.
    pub(super) const NONE: Self = Self { support: [1.0; SUPPORTS], trust: [1.0; TRUSTS] };

    /// Of a hand of which `held` dice count.
    pub(super) fn likelihood(&self, claim: Claim, held: usize) -> f64 {
        self.support[claim.support(held)] * self.trust[claim.trust(held)]
    }
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

    /// Multiplies likelihoods by factors.
    pub(super) fn scale(&mut self, by: &Factors) {
        for (likelihoods, support) in self.0.iter_mut().zip(by.support) {
            likelihoods.iter_mut().zip(by.trust).for_each(|(one, trust)| *one *= support * trust);
        }
    }

    /// Of a hand of which `held` dice count.
    pub(super) fn likelihood(&self, claim: Claim, held: usize) -> f64 {
        self.0[claim.support(held)][claim.trust(held)]
    }
}

impl Style {
    /// Of a player that nothing is known of.
    pub(super) const NONE: Self = Self { among: [const { Habits::NONE }; 2] };

    pub(super) const fn bidding(&self, company: Company, manner: Manner) -> &Bidding {
        &self.among[company as usize].bids[manner as usize]
    }

    /// The chance that it calls a bid if `held` of its dice count for it.
    pub(super) fn call(&self, claim: Claim, held: usize) -> f64 {
        self.among[claim.company as usize].calls[claim.trust(held)]
    }

    /// Adds a share of another style.
    pub(super) fn add(&mut self, share: f64, other: &Self) {
        for (sum, with) in self.among.iter_mut().zip(&other.among) {
            sum.add(share, with);
        }
    }
}

impl Habits {
    const NONE: Self =
        Self { calls: [0.0; TRUSTS], bids: [const { Bidding([[0.0; TRUSTS]; SUPPORTS]) }; 4] };

    fn add(&mut self, share: f64, other: &Self) {
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
