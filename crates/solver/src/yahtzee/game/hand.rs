//! Dice without their order, and how hands grow and shrink by one die.

use std::fmt;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Keep, Roll};

use crate::yahtzee::game::hand_tables::{HANDS, PARTIAL, TABLES};

/// Up to five dice without their order.
///
/// There are 462 such hands. Smaller ones come first: the empty one has index 0, those of five dice are
/// the last 252.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(u16);

impl Hand {
    /// No dice.
    pub const EMPTY: Self = Self(0);

    /// The hand of these dice, or `None` if there are more than five.
    #[must_use]
    pub fn of(dice: impl IntoIterator<Item = Face>) -> Option<Self> {
        dice.into_iter().try_fold(Self::EMPTY, Self::with)
    }

    /// The hand of a roll.
    #[must_use]
    pub fn of_roll(roll: &Roll) -> Self {
        let grown = &TABLES.grown;
        Self(roll.iter().fold(0, |hand, die| grown[usize::from(hand)][die.index()]))
    }

    /// The hand with one more die, or `None` if it has five.
    #[must_use]
    pub fn with(self, die: Face) -> Option<Self> {
        TABLES.grown.get(self.index()).map(|grown| Self(grown[die.index()]))
    }

    /// The hands without one die, once for each face that is shown, aces first.
    pub fn smaller(self) -> impl Iterator<Item = Self> + Clone {
        let partial = |part: &u8| Self(u16::from(*part));
        TABLES.smaller[self.index()].iter().map(partial)
    }

    /// The dice of a roll that make this hand, of equal ones the first; `None` if they are not all there.
    #[must_use]
    pub fn keep_from(self, roll: &Roll) -> Option<Keep> {
        let mut missing = Face::ALL.map(|face| self.count(face));
        let keep = Keep::filter(roll, |face| {
            let wanted = missing[face.index()] > 0;
            missing[face.index()] -= u8::from(wanted);
            wanted
        });
        (missing == [0; 6]).then_some(keep)
    }

    /// The hand that a keep leaves of a roll.
    #[must_use]
    pub fn kept(keep: Keep, roll: &Roll) -> Self {
        let grown = &TABLES.grown;
        Self(keep.indexes().fold(0, |hand, index| grown[usize::from(hand)][roll[index].index()]))
    }

    /// All 462, in the order of their indexes.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..HANDS as u16).map(Self)
    }

    /// The 252 of five dice.
    pub fn rolls() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (PARTIAL as u16..HANDS as u16).map(Self)
    }

    /// The place among all hands, below 462.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The place among the hands of five dice, below 252; `None` if there are fewer dice.
    #[must_use]
    pub const fn roll_index(self) -> Option<usize> {
        self.index().checked_sub(PARTIAL)
    }

    /// How many dice show `face`, 0 to 5.
    #[must_use]
    pub fn count(self, face: Face) -> u8 {
        TABLES.counts[self.index()][face.index()]
    }

    /// How many dice there are, 0 to 5.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a hand is no collection")]
    pub fn len(self) -> usize {
        TABLES.counts[self.index()].iter().copied().map(usize::from).sum()
    }

    /// The dice, ascending.
    pub fn dice(self) -> impl Iterator<Item = Face> + Clone {
        Face::ALL.into_iter().flat_map(move |face| (0..self.count(face)).map(move |_| face))
    }

    /// The dice of a hand of five, ascending.
    #[must_use]
    pub fn roll(self) -> Option<Roll> {
        let mut dice = self.dice();
        let roll = [dice.next()?, dice.next()?, dice.next()?, dice.next()?, dice.next()?];
        Some(roll)
    }

    /// The probability of a hand of five among all rolls of five dice, in 7776ths; 0 for fewer dice.
    #[must_use]
    pub fn ways(self) -> u16 {
        self.roll_index().map_or(0, |roll| TABLES.ways[roll])
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.dice().map(|die| char::from(b'0' + die.pips())).collect();
        f.pad(if text.is_empty() { "-" } else { &text })
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
