//! All bids of a round so far.

use std::cmp::Ordering;

use super::round::{Side, Step};

/// The bids made so far. They rise, so that their set says all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct History(u64);

impl History {
    /// Before the first bid.
    pub const NONE: Self = Self(0);

    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    pub(super) const fn with(self, step: Step) -> Self {
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

    /// The number of the last bid among all bids, ascending from 0 for one one.
    #[must_use]
    pub fn last_number(self) -> Option<u8> {
        (63 - self.0.leading_zeros()).try_into().ok().filter(|_| self.0 > 0)
    }

    /// The order of a walk: what follows after a bid comes after it and before the next higher one.
    pub(super) const fn order(self, other: Self) -> Ordering {
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
