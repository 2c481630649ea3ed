//! How progress is shown.

use std::time::Duration;

use clap::ValueEnum;

/// How the progress of a command is shown on stderr.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ProgressMode {
    /// A live line on a terminal, only messages elsewhere
    Auto,
    /// A line of text every ten seconds
    Plain,
    /// JSON Lines for programs, including messages; described in protocol/formats.md
    Json,
}

impl ProgressMode {
    /// The time between two lines of progress; `None` if there are no such lines.
    pub(super) const fn line_interval(self) -> Option<Duration> {
        match self {
            Self::Auto => None,
            Self::Plain => Some(Duration::from_secs(10)),
            Self::Json => Some(Duration::from_secs(1)),
        }
    }
}
