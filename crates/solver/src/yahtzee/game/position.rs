//! Positions between two turns.

use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard};

use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::variant::Variant;

/// The upper total from which the upper bonus is earned; higher ones are the same.
pub(crate) const ENOUGH: u8 = Scorecard::UPPER_BONUS_FROM as u8;

/// All of a card that decides what can still come of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    free: CategorySet,
    /// At most [`ENOUGH`].
    upper: u8,
    has_yahtzee: bool,
}

/// Why there is no such position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// No dice make this total.
    #[error("no dice add up to an upper total of {upper} in the upper boxes that are filled")]
    Upper {
        /// The total.
        upper: u32,
    },
    /// A bonus for Yahtzees before the first one.
    #[error("further Yahtzees earn nothing while the Yahtzee box is free")]
    EarnsBeforeYahtzee,
}

impl Position {
    /// The empty card.
    pub const START: Self = Self { free: CategorySet::ALL, upper: 0, has_yahtzee: false };

    /// The position with these `free` boxes and this sum of the upper boxes, where the Yahtzee box holds 50 or not.
    ///
    /// # Errors
    /// If no card is like that.
    pub fn new(free: CategorySet, upper: u32, has_yahtzee: bool) -> Result<Self, PositionError> {
        if has_yahtzee && free.contains(Category::Yahtzee) {
            return Err(PositionError::EarnsBeforeYahtzee);
        }
        if upper >= 128 || totals(free) >> upper & 1 == 0 {
            return Err(PositionError::Upper { upper });
        }
        Ok(Self { free, upper: cap(upper), has_yahtzee })
    }

    /// The position of a card.
    #[must_use]
    pub fn of(card: &Scorecard) -> Self {
        let has_yahtzee = card.filled(Category::Yahtzee).is_some_and(|score| score > 0);
        Self { free: card.free(), upper: cap(card.upper_total()), has_yahtzee }
    }

    /// The position of a card that is known to exist.
    pub(crate) const fn from_parts(free: CategorySet, upper: u8, has_yahtzee: bool) -> Self {
        Self { free, upper, has_yahtzee }
    }

    /// The boxes to be filled.
    #[must_use]
    pub const fn free(self) -> CategorySet {
        self.free
    }

    /// The sum of the upper boxes, or 63 if it is more.
    #[must_use]
    pub const fn upper(self) -> u8 {
        self.upper
    }

    /// Whether the Yahtzee box holds 50.
    #[must_use]
    pub const fn has_yahtzee(self) -> bool {
        self.has_yahtzee
    }

    /// The boxes that five dice may fill.
    #[must_use]
    pub fn legal(self, variant: Variant, dice: Hand) -> CategorySet {
        match self.further_yahtzee(dice) {
            Some(face) => variant.legal_joker(self.free, face),
            None => self.free,
        }
    }

    /// What five dice score in a box that they may fill, with both bonuses as far as this earns them, and the
    /// position after it.
    #[must_use]
    pub fn fill(self, variant: Variant, category: Category, dice: Hand) -> (u32, Self) {
        let further = self.further_yahtzee(dice);
        let score = match further {
            Some(face) => variant.further_score(self.free, category, face),
            None => category.score(&dice.roll().expect("a box is filled with five dice")),
        };
        let bonus = further.map_or(0, |_| variant.further_yahtzee_bonus(self.has_yahtzee));
        let (gain, next) = self.with_score(category, score);
        (gain + bonus, next)
    }

    /// What a free box brings that is filled with `score`, with the upper bonus if this earns it, and the position after it.
    #[inline]
    pub(crate) fn with_score(self, category: Category, score: u8) -> (u32, Self) {
        let upper = if category.is_upper() { score } else { 0 };
        let next = Self {
            free: self.free.without(category),
            upper: cap(u32::from(self.upper) + u32::from(upper)),
            has_yahtzee: self.has_yahtzee || category == Category::Yahtzee && score > 0,
        };
        let crossed = self.upper < ENOUGH && next.upper == ENOUGH;
        let bonus = if crossed { Scorecard::UPPER_BONUS } else { 0 };
        (u32::from(score) + bonus, next)
    }

    /// The face of a Yahtzee that the Yahtzee box has no room for.
    fn further_yahtzee(self, dice: Hand) -> Option<dicehill_rules::Face> {
        let first = dice.dice().next().filter(|face| dice.count(*face) == 5);
        first.filter(|_| !self.free.contains(Category::Yahtzee))
    }
}

const fn cap(upper: u32) -> u8 {
    if upper > ENOUGH as u32 { ENOUGH } else { upper as u8 }
}

/// The sums that the filled upper boxes can have, as bits.
pub(crate) fn totals(free: CategorySet) -> u128 {
    let faces = Category::ALL.into_iter().filter(|category| !free.contains(*category));
    faces.filter_map(Category::face).fold(1, |totals, face| {
        (0..=5).fold(0, |sums, count| sums | totals << (count * face.pips()))
    })
}

/// The most that the free upper boxes can still bring.
pub(crate) fn most_upper(free: CategorySet) -> u8 {
    free.iter().filter_map(Category::face).map(|face| 5 * face.pips()).sum()
}
