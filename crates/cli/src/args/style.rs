//! How standings are printed.

use clap::ValueEnum;

/// How standings are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoardFormat {
    /// For people
    Table,
    /// The result document, one a line
    Json,
    /// For spreadsheets
    Csv,
    /// For pasting into a post
    Markdown,
}
