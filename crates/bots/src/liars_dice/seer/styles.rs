//! All styles side by side, so that what each of them says of a turn is found at once.

use super::claim::{Claim, Company, Manner, SUPPORTS, TRUSTS};
use super::parameters::NamedStyle;

/// The most styles there may be.
pub(super) const MOST_STYLES: usize = 12;
/// Something about each style, in the order of the parameters; 0 where there is none.
pub(super) type ByStyle = [f64; MOST_STYLES];
/// The likelihood of a hand given a bid, by its support and by its trust.
type Bidding = [[ByStyle; TRUSTS]; SUPPORTS];

/// What the styles make expect.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Styles {
    /// How many there are.
    pub(super) known: usize,
    /// How common each is.
    pub(super) shares: ByStyle,
    calls: [[ByStyle; TRUSTS]; 2],
    /// Among two, and among more, by manner.
    bids: Box<[[Bidding; 4]; 2]>,
}

impl Styles {
    /// # Panics
    /// If there are more than 12.
    pub(super) fn new(styles: &[NamedStyle]) -> Self {
        assert!(styles.len() <= MOST_STYLES, "{} styles", styles.len());
        let mut all = Self {
            known: styles.len(),
            shares: [0.0; MOST_STYLES],
            calls: [[[0.0; MOST_STYLES]; TRUSTS]; 2],
            bids: Box::new([[[[[0.0; MOST_STYLES]; TRUSTS]; SUPPORTS]; 4]; 2]),
        };
        for (index, style) in styles.iter().enumerate() {
            all.set(index, style);
        }
        all
    }

    fn set(&mut self, index: usize, style: &NamedStyle) {
        self.shares[index] = style.share;
        for company in [0, 1] {
            for (calls, call) in self.calls[company].iter_mut().zip(style.calls[company]) {
                calls[index] = call;
            }
            for (bidding, factors) in self.bids[company].iter_mut().zip(&style.factors[company]) {
                for (row, support) in bidding.iter_mut().zip(factors.support) {
                    for (cell, trust) in row.iter_mut().zip(factors.trust) {
                        cell[index] = support * trust;
                    }
                }
            }
        }
    }

    /// The chance that a bid is called, by how far it can be trusted.
    pub(super) const fn calls(&self, company: Company) -> &[ByStyle; TRUSTS] {
        &self.calls[company as usize]
    }

    /// How many times likelier than others a hand is to have made a bid, if `held` of its dice count for it.
    pub(super) fn likelihood(&self, manner: Manner, claim: Claim, held: usize) -> &ByStyle {
        let bidding = &self.bids[claim.company as usize][manner as usize];
        &bidding[claim.support(held)][claim.trust(held)]
    }
}

/// The sum of the products, in an order that is fixed and fast.
pub(super) fn dot(a: &ByStyle, b: &ByStyle) -> f64 {
    let mut sums = [0.0; 4];
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
