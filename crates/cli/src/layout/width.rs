//! The width of an output's lines.

use terminal_size::terminal_size_of;
use unicode_width::UnicodeWidthStr;

/// The width of an output's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// The number of columns of a terminal.
    Columns(usize),
    /// Any width, in a file or pipe: nothing is wrapped or left out.
    Unlimited,
}

impl Width {
    /// The columns of the terminal to which results are printed, if it is one.
    pub(crate) fn of_stdout() -> Self {
        Self::of(terminal_size_of(std::io::stdout()))
    }

    /// The columns of the terminal to which messages are printed, if it is one.
    pub(crate) fn of_stderr() -> Self {
        Self::of(terminal_size_of(std::io::stderr()))
    }

    /// Whether a line holds this text.
    pub(crate) fn holds(self, text: &str) -> bool {
        match self {
            Self::Columns(columns) => text.width() <= columns,
            Self::Unlimited => true,
        }
    }

    /// Terminals that do not know their width have no size.
    fn of(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Self {
        size.map_or(Self::Unlimited, |(width, _)| Self::Columns(width.0.into()))
    }
}
