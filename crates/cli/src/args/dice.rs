//! Dice, counts of dice and bids as values of options.

use std::str::FromStr;

use dicehill_rules::Face;
use dicehill_rules::liars_dice::Bid;
use dicehill_rules::yahtzee::Roll;

/// Any number of dice, such as `1,1,4,6,6` or `11466`.
#[derive(Clone)]
pub(crate) struct DiceList(pub(crate) Vec<Face>);

impl FromStr for DiceList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pips = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
        let face = |c: char| {
            let pips = c.to_digit(10).and_then(|digit| Face::new(digit as u8));
            pips.ok_or_else(|| format!("{c:?} is not a face: faces are 1 to 6"))
        };
        pips.map(face).collect::<Result<_, _>>().map(Self)
    }
}

/// Five dice, such as `1,1,4,6,6` or `11466`.
pub(super) fn roll(text: &str) -> Result<Roll, String> {
    let DiceList(faces) = text.parse()?;
    let count = faces.len();
    faces.try_into().map_err(|_| format!("{count} dice, but five are rolled"))
}

/// Numbers of dice, such as `5,4,6`.
#[derive(Clone)]
pub(crate) struct DiceCounts(pub(crate) Vec<u8>);

impl FromStr for DiceCounts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = |word: &str| {
            word.trim().parse::<u8>().map_err(|_| format!("{word:?} is not a number of dice"))
        };
        text.split(',').map(count).collect::<Result<_, _>>().map(Self)
    }
}

/// Bids, such as `2×6, 4×6`.
#[derive(Clone)]
pub(crate) struct BidList(pub(crate) Vec<Bid>);

impl FromStr for BidList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = text.split(',').filter(|word| !word.trim().is_empty());
        let bid = |word: &str| Bid::from_notation(word).map_err(|why| why.to_string());
        words.map(bid).collect::<Result<_, _>>().map(Self)
    }
}
