//! All bids of a round so far.

use std::cmp::Ordering;

use dicehill_rules::liars_dice::Bid;

use crate::liars_dice::game::round::{Round, Side, Step};

/// Why bids are no history of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// A bid of more dice than there are: it is to be called.
    #[error("a bid of {0} with {1} dice on the table")]
    Count(Bid, u8),
    /// A bid that is not higher than the one before.
    #[error("the bid {0} is not higher than the one before")]
    Order(Bid),
}

/// The bids made so far. They rise, so that their set says all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct History(u64);

impl History {
    /// Before the first bid.
    pub const NONE: Self = Self(0);

    /// After these bids.
    ///
    /// # Errors
    /// If they do not rise, or one claims more dice than there are.
    pub fn of(round: Round, bids: &[Bid]) -> Result<Self, HistoryError> {
        let mut history = Self::NONE;
        for bid in bids {
            let step = round.step(*bid).ok_or(HistoryError::Count(*bid, round.all_dice()))?;
            if history.last_number().is_some_and(|last| last >= step) {
                return Err(HistoryError::Order(*bid));
            }
            history = history.with(step);
        }
        Ok(history)
    }

    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    pub(crate) const fn with(self, step: Step) -> Self {
        Self(self.0 | 1 << step)
    }

    /// How many bids were made.
    #[must_use]
    pub const fn bids(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Who acts next.
    #[must_use]
    pub const fn actor(self) -> Side {
        Side::after(self.bids())
    }

    /// The numbers of all bids, in the order made.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |number| self.0 >> number & 1 == 1)
    }

    /// The number of the last bid among all bids, ascending from 0 for one one.
    #[must_use]
    pub fn last_number(self) -> Option<u8> {
        (63 - self.0.leading_zeros()).try_into().ok().filter(|_| self.0 > 0)
    }

    /// The order of a walk: what follows after a bid comes after it and before the next higher one.
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
