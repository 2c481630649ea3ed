//! The thirteen categories and their scores.

use std::fmt;
use std::str::FromStr;

use super::Roll;
use crate::Face;

/// A category of the scorecard, in the order of the card.
///
/// ```
/// use dicehill_rules::{Face, yahtzee::Category};
///
/// let dice = [2, 3, 3, 4, 5].map(|pips| Face::new(pips).expect("a face"));
/// assert_eq!(Category::SmallStraight.score(&dice), 30);
/// assert_eq!(Category::Threes.score(&dice), 6);
/// assert_eq!(Category::LargeStraight.score(&dice), 0);
/// assert_eq!("SMALL_STRAIGHT".parse(), Ok(Category::SmallStraight));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the categories'")]
pub enum Category {
    Aces,
    Twos,
    Threes,
    Fours,
    Fives,
    Sixes,
    ThreeOfAKind,
    FourOfAKind,
    FullHouse,
    SmallStraight,
    LargeStraight,
    Yahtzee,
    Chance,
}

impl Category {
    /// All thirteen, in the order of the card.
    pub const ALL: [Self; 13] = [
        Self::Aces,
        Self::Twos,
        Self::Threes,
        Self::Fours,
        Self::Fives,
        Self::Sixes,
        Self::ThreeOfAKind,
        Self::FourOfAKind,
        Self::FullHouse,
        Self::SmallStraight,
        Self::LargeStraight,
        Self::Yahtzee,
        Self::Chance,
    ];

    /// The upper category that counts `face`.
    #[must_use]
    pub const fn upper(face: Face) -> Self {
        Self::ALL[face.index()]
    }

    /// The index in [`Category::ALL`], 0 to 12.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The face that an upper category counts; `None` for a lower one.
    #[must_use]
    pub const fn face(self) -> Option<Face> {
        Face::new(self as u8 + 1)
    }

    /// Whether this is one of the six upper categories.
    #[must_use]
    pub const fn is_upper(self) -> bool {
        (self as u8) < 6
    }

    /// Whether this is one of the seven lower categories.
    #[must_use]
    pub const fn is_lower(self) -> bool {
        !self.is_upper()
    }

    /// Whether the dice fit the category, without the joker rule.
    ///
    /// An upper category fits if at least one die shows its face; Chance always fits. Five of a
    /// kind is not a Full House.
    ///
    /// ```
    /// use dicehill_rules::{Face, yahtzee::Category};
    ///
    /// let dice = [2, 2, 5, 5, 5].map(|pips| Face::new(pips).expect("a face"));
    /// assert!(Category::FullHouse.matches(&dice));
    /// assert!(!Category::Aces.matches(&dice));
    /// ```
    #[must_use]
    #[inline]
    pub fn matches(self, dice: &Roll) -> bool {
        Self::matching(dice).contains(self)
    }

    /// All categories that the dice fit, without the joker rule.
    ///
    /// ```
    /// use dicehill_rules::{Face, yahtzee::Category};
    ///
    /// let dice = [4, 4, 4, 1, 1].map(|pips| Face::new(pips).expect("a face"));
    /// let names: Vec<_> = Category::matching(&dice).iter().map(Category::name).collect();
    /// assert_eq!(names, ["ACES", "FOURS", "THREE_OF_A_KIND", "FULL_HOUSE", "CHANCE"]);
    /// ```
    #[must_use]
    #[inline]
    pub fn matching(dice: &Roll) -> CategorySet {
        let place = [1, 6, 36, 216, 1296];
        let digits = dice.iter().zip(place).map(|(die, place)| die.index() * place);
        MATCHING[digits.sum::<usize>()]
    }

    /// The score of the dice in the category, 0 to 50, without the joker rule. It is 0 if they do not fit.
    #[must_use]
    #[inline]
    pub fn score(self, dice: &Roll) -> u8 {
        match self.face() {
            Some(face) => dice.iter().filter(|die| **die == face).count() as u8 * face.pips(),
            None if self.matches(dice) => self.full_score(dice),
            None => 0,
        }
    }

    /// The score of dice that fit a lower category.
    #[inline]
    pub(super) fn full_score(self, dice: &Roll) -> u8 {
        match self {
            Self::FullHouse => 25,
            Self::SmallStraight => 30,
            Self::LargeStraight => 40,
            Self::Yahtzee => 50,
            Self::ThreeOfAKind
            | Self::FourOfAKind
            | Self::Chance
            | Self::Aces
            | Self::Twos
            | Self::Threes
            | Self::Fours
            | Self::Fives
            | Self::Sixes => dice.iter().map(|die| die.pips()).sum(),
        }
    }

    /// The name in protocols and logs, for example `THREE_OF_A_KIND`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aces => "ACES",
            Self::Twos => "TWOS",
            Self::Threes => "THREES",
            Self::Fours => "FOURS",
            Self::Fives => "FIVES",
            Self::Sixes => "SIXES",
            Self::ThreeOfAKind => "THREE_OF_A_KIND",
            Self::FourOfAKind => "FOUR_OF_A_KIND",
            Self::FullHouse => "FULL_HOUSE",
            Self::SmallStraight => "SMALL_STRAIGHT",
            Self::LargeStraight => "LARGE_STRAIGHT",
            Self::Yahtzee => "YAHTZEE",
            Self::Chance => "CHANCE",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a category.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown category {0:?}")]
pub struct ParseCategoryError(pub String);

impl FromStr for Category {
    type Err = ParseCategoryError;

    /// Reads the text of [`Category::name`]. `ONES` is read as `ACES`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_named = |category: &&Self| category.name() == text;
        match Self::ALL.iter().find(is_named) {
            Some(category) => Ok(*category),
            None if text == "ONES" => Ok(Self::Aces),
            None => Err(ParseCategoryError(text.to_owned())),
        }
    }
}

/// A set of categories.
///
/// ```
/// use dicehill_rules::yahtzee::{Category, CategorySet};
///
/// let mut free = CategorySet::ALL.without(Category::Chance);
/// free = free.intersection(CategorySet::LOWER);
/// assert_eq!(free.len(), 6);
/// assert!(free.contains(Category::Yahtzee) && !free.contains(Category::Chance));
/// assert_eq!(free.iter().next(), Some(Category::ThreeOfAKind));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CategorySet(u16);

impl CategorySet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All thirteen categories.
    pub const ALL: Self = Self((1 << 13) - 1);
    /// The six upper categories.
    pub const UPPER: Self = Self((1 << 6) - 1);
    /// The seven lower categories.
    pub const LOWER: Self = Self(Self::ALL.0 & !Self::UPPER.0);

    /// The set of one category.
    #[must_use]
    pub const fn only(category: Category) -> Self {
        Self(1 << category as u8)
    }

    /// Whether the category is in the set.
    #[must_use]
    pub const fn contains(self, category: Category) -> bool {
        self.0 & Self::only(category).0 != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of categories in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The categories that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set without a category.
    #[must_use]
    pub const fn without(self, category: Category) -> Self {
        Self(self.0 & !Self::only(category).0)
    }

    /// The set with these [`CategorySet::bits`]. Bits from 13 on are ignored.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The set as bits, below 2^13: bit `i` is the category with index `i`.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The categories of the set, in the order of the card.
    pub fn iter(self) -> impl Iterator<Item = Category> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let index = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(Category::ALL[index])
        })
    }

    pub(super) const fn remove(&mut self, category: Category) {
        *self = self.without(category);
    }

    const fn insert_if(&mut self, category: Category, condition: bool) {
        self.0 |= (condition as u16) << category as u8;
    }
}

impl FromIterator<Category> for CategorySet {
    fn from_iter<I: IntoIterator<Item = Category>>(categories: I) -> Self {
        categories.into_iter().fold(Self::EMPTY, |set, next| Self(set.0 | Self::only(next).0))
    }
}

impl fmt::Debug for CategorySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The matching categories of every roll. The index has the dice as digits in base six, the first die lowest.
static MATCHING: [CategorySet; 7776] = matching_of_all_rolls();

const fn matching_of_all_rolls() -> [CategorySet; 7776] {
    let mut sets = [CategorySet::EMPTY; 7776];
    let mut roll = 0;
    while roll < sets.len() {
        sets[roll] = Counts::of_digits(roll).matching();
        roll += 1;
    }
    sets
}

/// The number of dice that show each face: four bits per face, aces lowest.
#[derive(Clone, Copy)]
struct Counts(u32);

impl Counts {
    /// The counts of the roll whose dice are the five digits of `roll` in base six.
    const fn of_digits(mut roll: usize) -> Self {
        let mut counts = 0;
        let mut dice = 0;
        while dice < 5 {
            counts += 1 << (4 * (roll % 6));
            roll /= 6;
            dice += 1;
        }
        Self(counts)
    }

    const fn matching(self) -> CategorySet {
        let mut set = self.faces_shown();
        set.insert_if(Category::ThreeOfAKind, self.at_least(3) != 0);
        set.insert_if(Category::FourOfAKind, self.at_least(4) != 0);
        set.insert_if(Category::FullHouse, self.is_full_house());
        set.insert_if(Category::SmallStraight, self.has_run_of_four());
        set.insert_if(Category::LargeStraight, self.has_run_of_five());
        set.insert_if(Category::Yahtzee, self.at_least(5) != 0);
        set.insert_if(Category::Chance, true);
        set
    }

    /// Bit `4 f + 3` is set if at least `count` dice (1 to 8) show face `f`.
    const fn at_least(self, count: u32) -> u32 {
        (self.0 + (8 - count) * 0x11_1111) & 0x88_8888
    }

    const fn is_full_house(self) -> bool {
        let threes = self.at_least(3);
        let twos = self.at_least(2) & !self.at_least(3);
        threes != 0 && twos != 0
    }

    const fn has_run_of_four(self) -> bool {
        let shown = self.at_least(1);
        shown & (shown >> 4) & (shown >> 8) & (shown >> 12) != 0
    }

    const fn has_run_of_five(self) -> bool {
        let shown = self.at_least(1);
        shown & (shown >> 4) & (shown >> 8) & (shown >> 12) & (shown >> 16) != 0
    }

    /// The upper categories of the faces shown.
    const fn faces_shown(self) -> CategorySet {
        let shown = self.at_least(1);
        let mut bits = 0;
        let mut face = 0;
        while face < 6 {
            bits |= (shown >> (4 * face + 3) & 1) << face;
            face += 1;
        }
        CategorySet(bits as u16)
    }
}
