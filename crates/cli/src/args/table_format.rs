//! How a table is printed.

use clap::ValueEnum;

/// How a table is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Table,
    /// For spreadsheets
    Csv,
    /// For pasting into a post
    Markdown,
}
