//! How a report is printed.

use clap::ValueEnum;

/// How a report is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
}
