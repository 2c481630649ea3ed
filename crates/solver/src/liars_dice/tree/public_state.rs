//! The public information that determines the rest of the tree.

use crate::liars_dice::game::history::History;
use crate::liars_dice::game::round::{BidIndex, Side};

/// A public state of the round: the number of bids and the last bid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PublicState {
    pub(crate) bids: usize,
    pub(crate) last: Option<BidIndex>,
}

impl PublicState {
    pub(crate) const ROOT: Self = Self { bids: 0, last: None };

    pub(crate) const fn after(self, bid: BidIndex) -> Self {
        Self { bids: self.bids + 1, last: Some(bid) }
    }

    pub(crate) const fn actor(self) -> Side {
        Side::to_act(self.bids)
    }

    /// The player that made the last bid.
    pub(crate) const fn bidder(self) -> Side {
        self.actor().other()
    }

    pub(crate) fn index(self) -> usize {
        self.last.map_or(0, |bid| usize::from(bid) + 1)
    }
}

impl From<History> for PublicState {
    fn from(history: History) -> Self {
        Self { bids: history.bids(), last: history.last_bid_index() }
    }
}
