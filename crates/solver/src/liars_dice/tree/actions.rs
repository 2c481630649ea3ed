//! The legal actions of a public state.

use crate::liars_dice::game::round::BidIndex;

/// A legal bid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LegalBid {
    pub(crate) index: BidIndex,
    /// Whether the opponent always calls it.
    pub(crate) is_called: bool,
}

/// The legal actions of a public state: the call, unless no bid was made, then the bids.
#[derive(Clone, Default, Debug)]
pub(crate) struct LegalActions {
    pub(crate) can_call: bool,
    pub(crate) bids: Vec<LegalBid>,
    /// Whether no decision follows and the player is not certified: it best-responds and stores no
    /// regrets.
    pub(crate) is_final: bool,
}

impl LegalActions {
    pub(crate) fn count(&self) -> usize {
        usize::from(self.can_call) + self.bids.len()
    }
}
