//! Bids and actions as people write and say them. Records and the protocol have the plain `4 5` of [`Bid`]'s text.

use super::{Action, Bid, BidError};
use crate::Face;

/// The numbers that are said in words.
const NUMBERS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

impl Bid {
    /// The bid as people write it: `4×5`.
    ///
    /// ```
    /// use dicehill_rules::liars_dice::Bid;
    ///
    /// let bid: Bid = "4 5".parse()?;
    /// assert_eq!((bid.notation().as_str(), bid.in_words().as_str()), ("4×5", "four fives"));
    /// # Ok::<(), dicehill_rules::liars_dice::BidError>(())
    /// ```
    #[must_use]
    pub fn notation(self) -> String {
        format!("{}×{}", self.count(), self.face())
    }

    /// The bid as people say it: `four fives`.
    #[must_use]
    pub fn in_words(self) -> String {
        dice_in_words(self.count(), self.face())
    }

    /// Reads what people write and say: `4×5`, `4x5`, `4 5`, `four fives` or `4 fives`.
    ///
    /// # Errors
    /// If the text has another form, or a number is out of range.
    ///
    /// ```
    /// use dicehill_rules::liars_dice::Bid;
    ///
    /// let bid = Bid::new(4, dicehill_rules::Face::SIX);
    /// for text in ["4×6", "4x6", "4 X 6", "4*6", " 4 6 ", "four sixes", "4 Sixes"] {
    ///     assert_eq!(Bid::from_notation(text), bid);
    /// }
    /// assert_eq!(Bid::from_notation("4").unwrap_err().to_string(), "\"4\" is not a bid such as 4×5");
    /// ```
    pub fn from_notation(text: &str) -> Result<Self, BidError> {
        if let Some(bid) = said(text) {
            return Ok(bid);
        }
        let form = || BidError::Notation(text.trim().to_owned());
        let signs = text.matches(SIGNS).count();
        if signs > 1 {
            return Err(form());
        }
        text.replace(SIGNS, " ").parse().map_err(|error| match error {
            BidError::Form(_) => form(),
            error @ (BidError::Notation(_) | BidError::Count(_) | BidError::Face(_)) => error,
        })
    }
}

/// The signs between count and face.
const SIGNS: [char; 4] = ['×', 'x', 'X', '*'];

impl Action {
    /// The action as people write it: `4×5` or `Liar!`.
    #[must_use]
    pub fn notation(&self) -> String {
        match self {
            Self::Bid(bid) => bid.notation(),
            Self::Call => self.to_string(),
        }
    }
}

/// The bid that is said in two words, of which the first may be a number.
fn said(text: &str) -> Option<Bid> {
    let text = text.to_lowercase();
    let mut words = text.split_whitespace();
    let (number, name) = (words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let in_words = NUMBERS.iter().position(|word| *word == number).map(|count| count as u32);
    let count = in_words.or_else(|| number.parse().ok())?;
    let is_named = |face: &Face| {
        let one = face_name(*face);
        name == one || name.strip_prefix(one).is_some_and(|end| end == "s" || end == "es")
    };
    Bid::new(count, Face::ALL.into_iter().find(is_named)?).ok()
}

/// One die of a face in words.
const fn face_name(face: Face) -> &'static str {
    ["one", "two", "three", "four", "five", "six"][face.index()]
}

/// A number of dice of a face as people say it: `no fives`, `one six`, `four fives`, `13 twos`.
#[must_use]
pub fn dice_in_words(count: u32, face: Face) -> String {
    let number = NUMBERS.get(count as usize).map_or_else(|| count.to_string(), ToString::to_string);
    let one = face_name(face);
    match (count, face) {
        (1, _) => format!("{number} {one}"),
        (_, Face::SIX) => format!("{number} sixes"),
        (_, _) => format!("{number} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_dice_have_words() {
        let said = |count, pips| dice_in_words(count, Face::new(pips).expect("a face"));
        assert_eq!(said(0, 5), "no fives");
        assert_eq!(said(1, 1), "one one");
        assert_eq!(said(2, 6), "two sixes");
        assert_eq!(said(12, 2), "twelve twos");
        assert_eq!(said(13, 4), "13 fours");
    }

    #[test]
    fn notation_is_read_back() {
        for bid in Bid::above(None).take(200) {
            assert_eq!(Bid::from_notation(&bid.notation()), Ok(bid));
            assert_eq!(Bid::from_notation(&bid.to_string()), Ok(bid));
            assert_eq!(Bid::from_notation(&bid.in_words()), Ok(bid));
        }
    }

    #[test]
    fn other_text_is_no_bid() {
        for (text, why) in [
            ("", "\"\" is not a bid such as 4×5"),
            ("two", "\"two\" is not a bid such as 4×5"),
            ("no twos", "\"no twos\" is not a bid such as 4×5"),
            ("two sevens", "\"two sevens\" is not a bid such as 4×5"),
            ("two twos more", "\"two twos more\" is not a bid such as 4×5"),
            ("4xx5", "\"4xx5\" is not a bid such as 4×5"),
            ("4×5×6", "\"4×5×6\" is not a bid such as 4×5"),
            ("0x5", "count 0 is not 1-1000000"),
            ("4×7", "face 7 is not 1-6"),
        ] {
            assert_eq!(Bid::from_notation(text).unwrap_err().to_string(), why);
        }
    }

    /// What bots send has one form.
    #[test]
    fn the_text_of_records_stays_strict() {
        for text in ["4×5", "4x5", "4*5"] {
            assert!(text.parse::<Bid>().is_err() && text.parse::<Action>().is_err(), "{text}");
        }
    }
}
