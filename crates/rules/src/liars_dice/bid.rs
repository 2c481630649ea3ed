//! Bids: claims about the number of dice of one face on the table.

use std::fmt;
use std::str::FromStr;

use crate::Face;

/// A count and a face, ordered by count, then face.
///
/// ```
/// use dicehill_rules::liars_dice::Bid;
///
/// let bid = |text: &str| text.parse::<Bid>().expect("a bid");
/// assert!(bid("3 5") > bid("3 4") && bid("4 2") > bid("3 4"));
/// assert!(bid("4 1") > bid("3 6") && bid("3 3") < bid("3 4"));
/// assert_eq!((bid("3 5").count(), bid("3 5").face().pips()), (3, 5));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bid {
    count: u32,
    face: Face,
}

/// The count and the face are not a bid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BidError {
    /// The text is not two numbers.
    #[error("{0:?} is not \"COUNT FACE\"")]
    Form(String),
    /// The text that a person wrote is no bid.
    #[error("{0:?} is not a bid such as 4×5")]
    Notation(String),
    /// The count is out of range.
    #[error("count {0} is not 1-1000000")]
    Count(String),
    /// The face is out of range.
    #[error("face {0} is not 1-6")]
    Face(String),
}

impl Bid {
    /// The largest count of a bid.
    pub const MAX_COUNT: u32 = 1_000_000;
    /// The lowest bid.
    pub const LOWEST: Self = Self { count: 1, face: Face::ONE };

    /// The bid of `count` dice of `face`.
    ///
    /// # Errors
    /// If `count` is not 1 to [`Bid::MAX_COUNT`].
    pub fn new(count: u32, face: Face) -> Result<Self, BidError> {
        if (1..=Self::MAX_COUNT).contains(&count) {
            Ok(Self { count, face })
        } else {
            Err(BidError::Count(count.to_string()))
        }
    }

    /// The number of dice claimed, 1 to 1,000,000.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count
    }

    /// The face claimed.
    #[must_use]
    pub const fn face(self) -> Face {
        self.face
    }

    /// The value of the bid in the controller of the challenge: 6 x count + face. Values are ordered as bids are.
    #[must_use]
    pub const fn value(self) -> u32 {
        6 * self.count + self.face.pips() as u32
    }

    /// The next higher bid; `None` for the highest.
    #[must_use]
    pub fn successor(self) -> Option<Self> {
        match Face::new(self.face.pips() + 1) {
            Some(face) => Some(Self { face, ..self }),
            None => Self::new(self.count + 1, Face::ONE).ok(),
        }
    }

    /// All bids above `last`, ascending; all bids without it.
    ///
    /// ```
    /// use dicehill_rules::liars_dice::Bid;
    ///
    /// let last = "3 5".parse().expect("a bid");
    /// let next: Vec<_> = Bid::above(Some(last)).take(3).map(|bid| bid.to_string()).collect();
    /// assert_eq!(next, ["3 6", "4 1", "4 2"]);
    /// ```
    pub fn above(last: Option<Self>) -> impl Iterator<Item = Self> {
        let first = match last {
            Some(last) => last.successor(),
            None => Some(Self::LOWEST),
        };
        std::iter::successors(first, |bid| bid.successor())
    }

    /// Appends "COUNT FACE" in plain digits.
    pub(super) fn write(self, text: &mut String) {
        let digit = |number: u32| char::from(b'0' + number as u8);
        if self.count < 10 {
            text.push(digit(self.count));
        } else if self.count < 100 {
            text.extend([digit(self.count / 10), digit(self.count % 10)]);
        } else {
            text.push_str(&self.count.to_string());
        }
        text.push(' ');
        text.push(digit(u32::from(self.face.pips())));
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.pad(&text)
    }
}

impl FromStr for Bid {
    type Err = BidError;

    /// Reads "COUNT FACE", two decimal numbers with spaces or tabs around and between them.
    fn from_str(text: &str) -> Result<Self, BidError> {
        let form = || BidError::Form(text.to_owned());
        let mut words = text.split([' ', '\t']).filter(|word| !word.is_empty());
        let mut number = || {
            let word = words.next().ok_or_else(form)?;
            let digits = word.strip_prefix('-').unwrap_or(word);
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            if is_number { Ok(word) } else { Err(form()) }
        };
        let (count, face) = (number()?, number()?);
        if words.next().is_some() {
            return Err(form());
        }
        let face =
            face.parse().ok().and_then(Face::new).ok_or_else(|| BidError::Face(face.to_owned()))?;
        let count = count.parse().map_err(|_| BidError::Count(count.to_owned()))?;
        Self::new(count, face)
    }
}
