//! The dice to keep.

use std::fmt;

/// The dice to keep: distinct indexes, 0-4, in the order in which the dice are shown next.
///
/// ```
/// use dicehill_bot::yahtzee::Keep;
///
/// assert_eq!(Keep::new([4, 0]).expect("two dice").indexes(), [4, 0]);
/// assert_eq!(Keep::new([5]).expect_err("no such die").to_string(), "keep index 5 is not 0-4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    indexes: [u8; 5],
    count: u8,
}

/// The indexes are not a keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepError {
    /// An index is not 0-4.
    Index(usize),
    /// An index is repeated.
    Repeated(usize),
}

impl fmt::Display for KeepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "keep index {index} is not 0-4"),
            Self::Repeated(index) => write!(f, "keep index {index} is repeated"),
        }
    }
}

impl std::error::Error for KeepError {}

impl Keep {
    /// Keeps the dice at these indexes. No dice and all five are allowed.
    ///
    /// # Errors
    /// If an index is not 0-4 or repeated.
    pub fn new(indexes: impl IntoIterator<Item = usize>) -> Result<Self, KeepError> {
        let mut keep = Self { indexes: [0; 5], count: 0 };
        for index in indexes {
            let small = u8::try_from(index).ok().filter(|&small| small < 5);
            let small = small.ok_or(KeepError::Index(index))?;
            if keep.indexes().contains(&small) {
                return Err(KeepError::Repeated(index));
            }
            keep.indexes[usize::from(keep.count)] = small;
            keep.count += 1;
        }
        Ok(keep)
    }

    /// The indexes, in the order in which the dice are shown next.
    #[must_use]
    pub fn indexes(&self) -> &[u8] {
        &self.indexes[..usize::from(self.count)]
    }
}

#[cfg(test)]
mod tests {
    use super::{Keep, KeepError};

    #[test]
    fn indexes_keep_their_order_and_are_distinct() {
        assert_eq!(Keep::new([4, 0, 2]).expect("a keep").indexes(), [4, 0, 2]);
        assert!(Keep::new([]).expect("a keep").indexes().is_empty());
        assert_eq!(Keep::new([0, 5]), Err(KeepError::Index(5)));
        assert_eq!(Keep::new([0, 256]), Err(KeepError::Index(256)));
        assert_eq!(Keep::new([3, 1, 3]), Err(KeepError::Repeated(3)));
    }
}
