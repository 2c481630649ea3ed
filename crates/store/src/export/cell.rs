//! The cells of the tables of an export, for all formats.

use dicehill_rules::Face;

/// A column. `protocol/export.md` says what each one means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportColumn {
    /// The name, in all formats.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: ColumnKind,
}

/// What the cells of a column hold, unless they are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A whole number that is not negative.
    Number,
    /// Yes or no.
    Flag,
    /// A text.
    Text,
}

impl ExportColumn {
    /// A column of whole numbers.
    #[must_use]
    pub const fn number(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Number }
    }

    /// A column of flags.
    #[must_use]
    pub const fn flag(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Flag }
    }

    /// A column of texts.
    #[must_use]
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Text }
    }
}

/// The cell of a row in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// There is nothing in this row.
    Nothing,
    /// A whole number.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// A text that may come from elsewhere.
    Text(String),
    /// A text of our own, which contains no formula and no markup.
    Word(String),
}

/// The pips of dice, with blanks between them: `3 5 5`.
impl From<&[Face]> for Cell {
    fn from(dice: &[Face]) -> Self {
        Self::Text(dice.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u8> for Cell {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Nothing, Into::into)
    }
}
