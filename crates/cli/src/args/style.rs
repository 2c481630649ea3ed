//! How standings are printed.

use clap::ValueEnum;

/// How much of a result is shown, and in which form. JSON and CSV have their own extent.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Style {
    /// How the standings are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = BoardFormat::Table)]
    pub(crate) format: BoardFormat,
    /// Show differences, encounters head to head, and results by seat as well, which JSON always has
    #[arg(long)]
    pub(crate) details: bool,
}

/// The form in which standings are printed.
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
