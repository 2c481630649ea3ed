//! The formats of a hill.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::EntrantId;

/// The name of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum FormatName {
    /// The game's own challenge.
    #[default]
    Challenge,
    /// All pairs of entrants, or larger tables of them, in blocks.
    Duel,
    /// One entrant against each other, in blocks.
    Gauntlet,
}

impl FormatName {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Challenge, Self::Duel, Self::Gauntlet];

    /// The name in hill files and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Challenge => "challenge",
            Self::Duel => "duel",
            Self::Gauntlet => "gauntlet",
        }
    }
}

/// A text that is not the name of a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("format = {0:?}: must be challenge, duel or gauntlet")]
pub struct ParseFormatError(pub String);

impl FromStr for FormatName {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let format = Self::ALL.into_iter().find(|format| format.name() == text);
        format.ok_or_else(|| ParseFormatError(text.to_owned()))
    }
}

impl TryFrom<String> for FormatName {
    type Error = ParseFormatError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<FormatName> for &'static str {
    fn from(format: FormatName) -> Self {
        format.name()
    }
}

/// A format with its settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The game's own challenge.
    Challenge,
    /// All groups of `seats` entrants, in blocks.
    Duel {
        /// Seats at a table.
        seats: usize,
    },
    /// One entrant against each other, in blocks of two.
    Gauntlet {
        /// The entrant under test; the last one if none is named.
        challenger: Option<EntrantId>,
    },
}

impl Format {
    /// Games in a block: the entrants of a table sit once at each of its seats.
    #[must_use]
    pub const fn games_per_block(self) -> u64 {
        match self {
            Self::Challenge => 1,
            Self::Duel { seats } => seats as u64,
            Self::Gauntlet { .. } => 2,
        }
    }
}
