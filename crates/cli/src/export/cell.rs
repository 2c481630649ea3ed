//! The cells of the tables of an export, for all formats.

/// A column. `protocol/export.md` says what each one means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExportColumn {
    pub(crate) name: &'static str,
    pub(crate) kind: ColumnKind,
}

/// What the cells of a column hold, unless they are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// A whole number that is not negative.
    Number,
    /// Yes or no.
    Flag,
    Text,
}

impl ExportColumn {
    pub(crate) const fn number(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Number }
    }

    pub(crate) const fn flag(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Flag }
    }

    pub(crate) const fn text(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Text }
    }
}

/// The cell of a row in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Nothing,
    Number(u64),
    Flag(bool),
    /// A text that may come from elsewhere.
    Text(String),
    /// A text of our own, which contains no formula and no markup.
    Word(String),
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
