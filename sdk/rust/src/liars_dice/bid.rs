//! Bids.

use std::fmt;

/// A claim about the number of dice of one face on the table. Bids are ordered by count, then by face.
///
/// ```
/// use dicehill_bot::liars_dice::Bid;
///
/// assert!(Bid { count: 4, face: 1 } > Bid { count: 3, face: 6 });
/// assert!(Bid { count: 3, face: 5 } > Bid { count: 3, face: 4 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bid {
    /// The count claimed, 1 to 1,000,000.
    pub count: u32,
    /// The face claimed, 1-6.
    pub face: u8,
}

impl Bid {
    /// Reads `COUNT FACE`, with spaces around and between the numbers.
    pub(super) fn named(text: &str) -> Option<Self> {
        let (count, face) = text.trim_matches(' ').split_once(' ')?;
        Some(Self { count: count.parse().ok()?, face: face.trim_start_matches(' ').parse().ok()? })
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count, self.face)
    }
}

#[cfg(test)]
mod tests {
    use super::Bid;

    #[test]
    fn bids_are_read_with_spaces_ignored() {
        assert_eq!(Bid::named("4 2"), Some(Bid { count: 4, face: 2 }));
        assert_eq!(Bid::named(" 1000000  6 "), Some(Bid { count: 1_000_000, face: 6 }));
        for text in ["", "4", "4 ", "four twos", "4 2 1", "-4 2", "4,2"] {
            assert_eq!(Bid::named(text), None, "{text}");
        }
    }
}
