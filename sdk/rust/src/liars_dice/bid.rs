//! A bid.

use std::fmt;

/// How many dice of one face the bidder claims are on the table. Bids rise by count first, then by
/// face.
///
/// ```
/// use dicehill_bot::liars_dice::Bid;
/// assert!(Bid { count: 4, face: 1 } > Bid { count: 3, face: 6 });
/// assert!(Bid { count: 3, face: 5 } > Bid { count: 3, face: 4 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bid {
    /// 1 to 1,000,000.
    pub count: u32,
    /// 1-6.
    pub face: u8,
}

impl Bid {
    /// The bid in `COUNT FACE`; blanks around and between the numbers are forgiven.
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
    fn texts_are_read_with_blanks_forgiven() {
        assert_eq!(Bid::named("4 2"), Some(Bid { count: 4, face: 2 }));
        assert_eq!(Bid::named(" 1000000  6 "), Some(Bid { count: 1_000_000, face: 6 }));
        for text in ["", "4", "4 ", "four twos", "4 2 1", "-4 2", "4,2"] {
            assert_eq!(Bid::named(text), None, "{text}");
        }
    }
}
