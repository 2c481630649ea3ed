//! Dice regardless of order.

use std::fmt;

use dicehill_rules::Face;
use dicehill_rules::yahtzee::{Keep, Roll};

use crate::yahtzee::game::hand_tables::{HANDS, PARTIAL, TABLES};

/// Up to five dice regardless of order.
///
/// There are 462 such hands. Smaller ones come first: the empty hand has index 0, and the hands of
/// five dice are the last 252.
///
/// ```
/// use dicehill_rules::Face;
/// use dicehill_solver::yahtzee::Hand;
///
/// let pair = Hand::from_dice([Face::SIX, Face::SIX]).expect("at most five dice");
/// assert_eq!(pair.len(), 2);
/// assert_eq!(pair.with_die(Face::ONE).map(|hand| hand.to_string()).as_deref(), Some("166"));
/// assert_eq!(Hand::all().count(), 462);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(u16);

impl Hand {
    /// The empty hand.
    pub const EMPTY: Self = Self(0);

    /// The hand of these dice; `None` if there are more than five.
    #[must_use]
    pub fn from_dice(dice: impl IntoIterator<Item = Face>) -> Option<Self> {
        dice.into_iter().try_fold(Self::EMPTY, Self::with_die)
    }

    /// The hand of a roll.
    #[must_use]
    pub fn from_roll(roll: &Roll) -> Self {
        let grown = &TABLES.grown;
        Self(roll.iter().fold(0, |hand, die| grown[usize::from(hand)][die.index()]))
    }

    /// The hand with one more die; `None` if it already has five.
    #[must_use]
    pub fn with_die(self, die: Face) -> Option<Self> {
        TABLES.grown.get(self.index()).map(|grown| Self(grown[die.index()]))
    }

    /// The hands with one die less: one for each face in the hand, aces first.
    pub fn without_one_die(self) -> impl Iterator<Item = Self> + Clone {
        let partial = |part: &u8| Self(u16::from(*part));
        TABLES.smaller[self.index()].iter().map(partial)
    }

    /// The dice of a roll that make up this hand, the first of equal ones; `None` if the roll does
    /// not contain them.
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

    /// The hand of the dice that `keep` keeps from `roll`.
    #[must_use]
    pub fn from_keep(keep: Keep, roll: &Roll) -> Self {
        let grown = &TABLES.grown;
        Self(keep.indexes().fold(0, |hand, index| grown[usize::from(hand)][roll[index].index()]))
    }

    /// All 462 hands in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..HANDS as u16).map(Self)
    }

    /// The 252 hands of five dice.
    pub fn rolls() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (PARTIAL as u16..HANDS as u16).map(Self)
    }

    /// The index among all hands, below 462.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The index among the hands of five dice, below 252; `None` for fewer dice.
    #[must_use]
    pub const fn roll_index(self) -> Option<usize> {
        self.index().checked_sub(PARTIAL)
    }

    /// The number of dice that show `face`, 0 to 5.
    #[must_use]
    pub fn count(self, face: Face) -> u8 {
        TABLES.counts[self.index()][face.index()]
    }

    /// The number of dice, 0 to 5.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a hand is no collection")]
    pub fn len(self) -> usize {
        TABLES.counts[self.index()].iter().copied().map(usize::from).sum()
    }

    /// The dice, ascending.
    pub fn dice(self) -> impl Iterator<Item = Face> + Clone {
        Face::ALL.into_iter().flat_map(move |face| (0..self.count(face)).map(move |_| face))
    }

    /// The dice of a hand of five, ascending; `None` for fewer dice.
    #[must_use]
    pub fn roll(self) -> Option<Roll> {
        self.roll_index().map(|roll| TABLES.dice[roll])
    }

    /// The number of ordered rolls, out of 7776, that are this hand; 0 for fewer than five dice.
    #[must_use]
    pub fn orderings(self) -> u16 {
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
