//! How standings are printed.

use clap::ValueEnum;

/// How much of a result is shown, and in which form. JSON and CSV have their own extent.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Style {
    /// Format of the standings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = BoardFormat::Table)]
    pub(crate) format: BoardFormat,
    /// Also show differences, head-to-head results and results by seat, which JSON always has
    #[arg(long)]
    pub(crate) details: bool,
    /// Leave out what barred bots answered and how failures can be examined, for output that others read. Markdown never has it
    #[arg(long)]
    pub(crate) public: bool,
}

/// The form in which standings are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoardFormat {
    /// For people
    Table,
    /// The result document, one per line
    Json,
    /// For spreadsheets
    Csv,
    /// For pasting into a post
    Markdown,
}
