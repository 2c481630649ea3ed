//! The bids of a round so far.

use std::cmp::Ordering;

use dicehill_rules::liars_dice::Bid;

use crate::liars_dice::game::round::{BidIndex, Round, Side};

/// Why bids are not a history of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// A bid on more dice than are on the table, which the opponent must call.
    #[error("a bid of {0} with {1} dice on the table")]
    Count(Bid, u8),
    /// A bid that is not higher than the one before.
    #[error("the bid {0} is not higher than the one before")]
    Order(Bid),
}

/// The bids made so far. They ascend, so a set of bids identifies the history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct History(u64);

impl History {
    /// The history before the first bid.
    pub const EMPTY: Self = Self(0);

    /// The history of these bids.
    ///
    /// # Errors
    /// If they do not ascend, or one is on more dice than are on the table.
    pub fn from_bids(round: Round, bids: &[Bid]) -> Result<Self, HistoryError> {
        let mut history = Self::EMPTY;
        for bid in bids {
            let index = round.index_of(*bid).ok_or(HistoryError::Count(*bid, round.all_dice()))?;
            if history.last_bid_index().is_some_and(|last| last >= index) {
                return Err(HistoryError::Order(*bid));
            }
            history = history.with(index);
        }
        Ok(history)
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    pub(crate) const fn with(self, bid: BidIndex) -> Self {
        Self(self.0 | 1 << bid)
    }

    /// The number of bids.
    #[must_use]
    pub const fn bids(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The side to act next.
    #[must_use]
    pub const fn actor(self) -> Side {
        Side::to_act(self.bids())
    }

    /// The indices of all bids in the order made, from 0 for a bid of one one.
    pub fn bid_indices(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |number| self.0 >> number & 1 == 1)
    }

    /// The index of the last bid, from 0 for a bid of one one.
    #[must_use]
    pub fn last_bid_index(self) -> Option<u8> {
        (63 - self.0.leading_zeros()).try_into().ok().filter(|_| self.0 > 0)
    }

    /// Depth-first order: the continuations of a bid come after it and before the next higher bid.
    pub(crate) const fn order(self, other: Self) -> Ordering {
        let first = match (self.0 ^ other.0).checked_ilog2() {
            None => return Ordering::Equal,
            Some(_) => (self.0 ^ other.0).trailing_zeros(),
        };
        let has_first = self.0 >> first & 1 == 1;
        let rest = if has_first { other.0 } else { self.0 } >> first;
        match (has_first, rest == 0) {
            (true, true) | (false, false) => Ordering::Greater,
            (true, false) | (false, true) => Ordering::Less,
        }
    }
}
