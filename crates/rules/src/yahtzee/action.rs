//! Actions: keep some dice and roll the others, or fill a box.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use super::{Category, ParseCategoryError, Roll};
use crate::Face;

/// Keep some dice and roll the others, or fill a box.
///
/// The text of a keep is its indexes (`034`), or `-` for none; the text of a fill is the name of the category.
///
/// ```
/// use dicehill_rules::yahtzee::{Action, Category, Keep};
///
/// assert_eq!("FULL_HOUSE".parse(), Ok(Action::Fill(Category::FullHouse)));
/// assert_eq!("-".parse(), Ok(Action::Keep(Keep::NONE)));
/// let keep: Action = "034".parse()?;
/// assert_eq!(keep.to_string(), "034");
/// # Ok::<(), dicehill_rules::yahtzee::ParseActionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Keeps these dice and rolls the others.
    Keep(Keep),
    /// Fills this box with the dice shown.
    Fill(Category),
}

/// The dice to keep: distinct indexes, 0 to 4, in the order in which the dice are shown next.
///
/// ```
/// use dicehill_rules::Face;
/// use dicehill_rules::yahtzee::Keep;
///
/// let dice = [6, 2, 6, 4, 2].map(|pips| Face::new(pips).expect("a face"));
/// let sixes = Keep::filter(&dice, |face| face == Face::SIX);
/// assert_eq!(sixes.indexes().collect::<Vec<_>>(), [0, 2]);
/// assert_eq!(Keep::from_mask(0b10010).indexes().collect::<Vec<_>>(), [1, 4]);
/// assert_eq!(Keep::all().count(), 326);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keep(
    /// Four bits each, from the lowest: the number of indexes, then the indexes in order. So a keep fits in a register.
    u32,
);

/// The indexes are not a keep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeepError {
    /// An index is not 0 to 4.
    #[error("keep index {0} is not 0-4")]
    OutOfRange(i64),
    /// An index is repeated.
    #[error("keep index {0} is repeated")]
    Repeated(i64),
}

impl Keep {
    /// Keeps no die.
    pub const NONE: Self = Self(0);

    /// Keeps the dice at these indexes.
    ///
    /// # Errors
    /// If an index is not 0 to 4, or is repeated.
    ///
    /// ```
    /// use dicehill_rules::yahtzee::Keep;
    ///
    /// let keep = Keep::new([3, 0]).expect("both are dice");
    /// assert_eq!(keep.indexes().collect::<Vec<_>>(), [3, 0]);
    /// assert_eq!(Keep::new([5]).unwrap_err().to_string(), "keep index 5 is not 0-4");
    /// ```
    pub fn new(indexes: impl IntoIterator<Item = i64>) -> Result<Self, KeepError> {
        let mut keep = Self::NONE;
        for index in indexes {
            let checked =
                u8::try_from(index).ok().filter(|i| *i < 5).ok_or(KeepError::OutOfRange(index))?;
            if keep.contains(checked) {
                return Err(KeepError::Repeated(index));
            }
            keep.push(checked);
        }
        Ok(keep)
    }

    /// Keeps the dice for whose face `wanted` is true, in the order shown.
    #[must_use]
    pub fn filter(dice: &Roll, mut wanted: impl FnMut(Face) -> bool) -> Self {
        let mut keep = Self::NONE;
        for (index, die) in (0..).zip(dice) {
            if wanted(*die) {
                keep.push(index);
            }
        }
        keep
    }

    /// Keeps the dice whose bit is set in `mask`, in the order shown. Bits from 5 on are ignored.
    #[must_use]
    pub const fn from_mask(mask: u8) -> Self {
        let mut keep = Self::NONE;
        let mut index = 0;
        while index < 5 {
            if mask >> index & 1 == 1 {
                keep.push(index);
            }
            index += 1;
        }
        keep
    }

    /// The indexes, 0 to 4, in the order in which the dice are shown next.
    pub fn indexes(self) -> impl ExactSizeIterator<Item = usize> + Clone {
        (0..self.count()).map(move |position| self.index_at(position))
    }

    /// The index at `position` of the keep; 0 if it has fewer.
    pub(super) const fn index_at(self, position: usize) -> usize {
        (self.0 >> (4 * position + 4) & 0xf) as usize
    }

    /// The number of dice kept, 0 to 5.
    #[must_use]
    pub const fn count(self) -> usize {
        (self.0 & 0xf) as usize
    }

    /// All 326 keeps: every ordered selection of distinct indexes.
    pub fn all() -> impl Iterator<Item = Self> {
        let mut queue = VecDeque::from([Self::NONE]);
        std::iter::from_fn(move || {
            let keep = queue.pop_front()?;
            queue.extend((0..5).filter(|i| !keep.contains(*i)).map(|i| keep.with(i)));
            Some(keep)
        })
    }

    fn contains(self, index: u8) -> bool {
        self.indexes().any(|kept| kept == usize::from(index))
    }

    /// Adds an index that is below 5 and not kept yet.
    const fn with(self, index: u8) -> Self {
        Self((self.0 | (index as u32) << (4 * self.count() + 4)) + 1)
    }

    /// Adds an index that is below 5 and not kept yet.
    const fn push(&mut self, index: u8) {
        *self = self.with(index);
    }
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.indexes()).finish()
    }
}

impl Action {
    /// Appends the action's text.
    pub(super) fn write(&self, text: &mut String) {
        match self {
            Self::Keep(Keep::NONE) => text.push('-'),
            Self::Keep(keep) => {
                for index in keep.indexes() {
                    text.push(char::from(b'0' + index as u8));
                }
            }
            Self::Fill(category) => text.push_str(category.name()),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.pad(&text)
    }
}

/// The text is not an action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseActionError {
    /// The digits are not a keep.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// The text is neither digits nor the name of a category.
    #[error(transparent)]
    Category(#[from] ParseCategoryError),
}

impl FromStr for Action {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            Ok(Self::Keep(Keep::NONE))
        } else if text.starts_with(|first: char| first.is_ascii_digit()) {
            let digit = |c: char| c.to_digit(10).map(i64::from);
            let indexes: Option<Vec<_>> = text.chars().map(digit).collect();
            let indexes = indexes.ok_or_else(|| ParseCategoryError(text.to_owned()))?;
            Ok(Self::Keep(Keep::new(indexes)?))
        } else {
            Ok(Self::Fill(text.parse()?))
        }
    }
}
