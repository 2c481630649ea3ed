//! Positions between turns.

use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard};

use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::variant::Variant;

/// The upper total that earns the upper bonus; higher totals are equivalent.
pub(crate) const BONUS_FROM: u8 = Scorecard::UPPER_BONUS_FROM as u8;

/// Everything on a scorecard that matters for the rest of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    free: CategorySet,
    /// At most [`BONUS_FROM`].
    upper: u8,
    has_yahtzee: bool,
}

/// Why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// No dice add up to this upper total.
    #[error("the filled upper boxes cannot have a total of {upper}")]
    Upper {
        /// The upper total.
        upper: u32,
    },
    /// A bonus for further Yahtzees before the first Yahtzee.
    #[error("there is no bonus for further Yahtzees while the Yahtzee box is free")]
    EarnsBeforeYahtzee,
}

impl Position {
    /// The empty scorecard.
    pub const START: Self = Self { free: CategorySet::ALL, upper: 0, has_yahtzee: false };

    /// The position with these `free` boxes and sum of the upper boxes; `has_yahtzee` says whether
    /// the Yahtzee box holds 50.
    ///
    /// # Errors
    /// If no scorecard has this position.
    pub fn new(free: CategorySet, upper: u32, has_yahtzee: bool) -> Result<Self, PositionError> {
        if has_yahtzee && free.contains(Category::Yahtzee) {
            return Err(PositionError::EarnsBeforeYahtzee);
        }
        if upper >= 128 || totals(free) >> upper & 1 == 0 {
            return Err(PositionError::Upper { upper });
        }
        Ok(Self { free, upper: cap(upper), has_yahtzee })
    }

    /// The position of a scorecard.
    #[must_use]
    pub fn from_scorecard(card: &Scorecard) -> Self {
        let has_yahtzee = card.filled(Category::Yahtzee).is_some_and(|score| score > 0);
        Self { free: card.free(), upper: cap(card.upper_total()), has_yahtzee }
    }

    /// A position that the caller knows to be possible.
    pub(crate) const fn from_parts(free: CategorySet, upper: u8, has_yahtzee: bool) -> Self {
        Self { free, upper, has_yahtzee }
    }

    /// The free boxes.
    #[must_use]
    pub const fn free(self) -> CategorySet {
        self.free
    }

    /// The sum of the upper boxes, at most 63.
    #[must_use]
    pub const fn upper(self) -> u8 {
        self.upper
    }

    /// Whether the Yahtzee box holds 50.
    #[must_use]
    pub const fn has_yahtzee(self) -> bool {
        self.has_yahtzee
    }

    /// The boxes that five dice may legally fill.
    #[must_use]
    pub fn legal(self, variant: Variant, dice: Hand) -> CategorySet {
        match self.further_yahtzee(dice) {
            Some(face) => variant.legal_joker(self.free, face),
            None => self.free,
        }
    }

    /// The points that five dice score in a legal box, including both bonuses if they are earned
    /// now, and the next position.
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

    /// The points for filling a free box with `score`, including the upper bonus if it is earned
    /// now, and the next position.
    #[inline]
    pub(crate) fn with_score(self, category: Category, score: u8) -> (u32, Self) {
        let upper = if category.is_upper() { score } else { 0 };
        let next = Self {
            free: self.free.without(category),
            upper: cap(u32::from(self.upper) + u32::from(upper)),
            has_yahtzee: self.has_yahtzee || category == Category::Yahtzee && score > 0,
        };
        let crossed = self.upper < BONUS_FROM && next.upper == BONUS_FROM;
        let bonus = if crossed { Scorecard::UPPER_BONUS } else { 0 };
        (u32::from(score) + bonus, next)
    }

    /// The face of a further Yahtzee: five equal dice when the Yahtzee box is filled.
    fn further_yahtzee(self, dice: Hand) -> Option<dicehill_rules::Face> {
        let [first, .., last] = dice.roll()?;
        (first == last && !self.free.contains(Category::Yahtzee)).then_some(first)
    }
}

const fn cap(upper: u32) -> u8 {
    if upper > BONUS_FROM as u32 { BONUS_FROM } else { upper as u8 }
}

/// The possible sums of the filled upper boxes, as a set of bits.
pub(crate) fn totals(free: CategorySet) -> u128 {
    let faces = Category::ALL.into_iter().filter(|category| !free.contains(*category));
    faces.filter_map(Category::face).fold(1, |totals, face| {
        (0..=5).fold(0, |sums, count| sums | totals << (count * face.pips()))
    })
}

/// The most that the free upper boxes can still score.
pub(crate) fn most_upper(free: CategorySet) -> u8 {
    free.iter().filter_map(Category::face).map(|face| 5 * face.pips()).sum()
}
