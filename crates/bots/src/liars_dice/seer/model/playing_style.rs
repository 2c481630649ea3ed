//! How a kind of player calls and bids.

use crate::liars_dice::seer::features::bid_context::TRUST_BINS;
use crate::liars_dice::seer::model::likelihood_factors::LikelihoodFactors;

/// How one kind of player calls and bids, as training has counted it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlayingStyle {
    /// The name in the parameter file.
    pub(crate) name: String,
    /// The prior probability of the style, before any hand of an opponent was revealed.
    pub(crate) share: f64,
    /// The probability of a call, by table size and trust bin.
    pub(crate) calls: [[f64; TRUST_BINS]; 2],
    /// The model of each kind of bid, by table size and kind.
    pub(crate) factors: [[LikelihoodFactors; 4]; 2],
}
