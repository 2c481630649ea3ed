//! The outcome of an attack.

use std::fmt;
use std::io;

use crate::process::error_text::error_text;

/// The outcome of an attack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttackOutcome {
    /// It was contained: the error of the system.
    Contained(String),
    /// It succeeded: what it reached.
    Open(String),
    /// It could not be tried, or its outcome is unknown.
    Unknown(String),
}

impl AttackOutcome {
    /// Open if the result is a success, else contained with the system's error.
    pub(super) fn from_result<T>(result: io::Result<T>, got: impl FnOnce(T) -> String) -> Self {
        match result {
            Ok(value) => Self::Open(got(value)),
            Err(error) => Self::Contained(error_text(&error)),
        }
    }

    /// Reads the line that an attacking process prints.
    pub(super) fn read(line: &str) -> Option<Self> {
        let (word, detail) = line.trim_end().split_once(' ')?;
        let detail = detail.to_owned();
        match word {
            "contained" => Some(Self::Contained(detail)),
            "open" => Some(Self::Open(detail)),
            "unknown" => Some(Self::Unknown(detail)),
            _ => None,
        }
    }

    /// The detail, for display.
    #[must_use]
    pub fn detail(&self) -> &str {
        match self {
            Self::Contained(detail) | Self::Open(detail) | Self::Unknown(detail) => detail,
        }
    }
}

impl fmt::Display for AttackOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Contained(_) => "contained",
            Self::Open(_) => "open",
            Self::Unknown(_) => "unknown",
        };
        write!(f, "{word} {}", self.detail())
    }
}
