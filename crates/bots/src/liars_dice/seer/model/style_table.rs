//! All playing styles as arrays over styles, so that one lookup gives the likelihoods by all of them.

use crate::liars_dice::seer::features::bid_context::{
    BidContext, BidKind, SUPPORT_BINS, TRUST_BINS, TableSize,
};
use crate::liars_dice::seer::model::playing_style::PlayingStyle;

/// Upper bound of the number of styles.
pub(crate) const MAX_STYLES: usize = 12;
/// A value for each style, in the order of the parameters; 0 where there is none.
pub(crate) type ByStyle = [f64; MAX_STYLES];
/// The likelihood of a hand given a bid, by support bin and by trust bin.
type Bidding = [[ByStyle; TRUST_BINS]; SUPPORT_BINS];

/// The playing styles, transposed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StyleTable {
    /// Number of styles.
    pub(crate) len: usize,
    /// The prior probability of each style.
    pub(crate) shares: ByStyle,
    /// The probability of a call, by table size and trust bin.
    calls: [[ByStyle; TRUST_BINS]; 2],
    /// By table size and kind of bid.
    bids: Box<[[Bidding; 4]; 2]>,
}

impl StyleTable {
    /// The table of these styles.
    ///
    /// # Panics
    /// If there are more than 12 styles.
    pub(crate) fn new(styles: &[PlayingStyle]) -> Self {
        assert!(styles.len() <= MAX_STYLES, "{} styles", styles.len());
        let mut all = Self {
            len: styles.len(),
            shares: [0.0; MAX_STYLES],
            calls: [[[0.0; MAX_STYLES]; TRUST_BINS]; 2],
            bids: Box::new([[[[[0.0; MAX_STYLES]; TRUST_BINS]; SUPPORT_BINS]; 4]; 2]),
        };
        for (index, style) in styles.iter().enumerate() {
            all.set(index, style);
        }
        all
    }

    fn set(&mut self, index: usize, style: &PlayingStyle) {
        self.shares[index] = style.share;
        for table_size in [0, 1] {
            for (calls, call) in self.calls[table_size].iter_mut().zip(style.calls[table_size]) {
                calls[index] = call;
            }
            for (bidding, factors) in
                self.bids[table_size].iter_mut().zip(&style.factors[table_size])
            {
                for (row, support) in bidding.iter_mut().zip(factors.support) {
                    for (cell, trust) in row.iter_mut().zip(factors.trust) {
                        cell[index] = support * trust;
                    }
                }
            }
        }
    }

    /// The probability that a bid is called, by trust bin.
    pub(crate) const fn calls(&self, table_size: TableSize) -> &[ByStyle; TRUST_BINS] {
        &self.calls[table_size as usize]
    }

    /// The relative likelihood, by each style, of a hand of which `held` dice count for the bid.
    pub(crate) fn likelihood(
        &self,
        bid_kind: BidKind,
        context: BidContext,
        held: usize,
    ) -> &ByStyle {
        let bidding = &self.bids[context.table_size as usize][bid_kind as usize];
        &bidding[context.support_bin(held)][context.trust_bin(held)]
    }
}

/// The dot product, summed in an order that is fixed and vectorises.
pub(crate) fn dot(a: &ByStyle, b: &ByStyle) -> f64 {
    let mut sums = [0.0; 4];
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
