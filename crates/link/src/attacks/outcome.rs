//! The outcome of an attack.

use std::fmt;
use std::io;

/// How an attack came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Something stopped it: what, as the system said it.
    Contained(String),
    /// Nothing did: what it got.
    Open(String),
    /// It could not be tried, or nobody knows what became of it.
    Unknown(String),
}

impl Outcome {
    /// Open with what succeeded, or contained with the system's error.
    pub(super) fn of<T>(result: io::Result<T>, got: impl FnOnce(T) -> String) -> Self {
        match result {
            Ok(value) => Self::Open(got(value)),
            Err(error) => Self::Contained(reason(&error)),
        }
    }

    /// Reads what an attack has said.
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

    /// The details.
    #[must_use]
    pub fn detail(&self) -> &str {
        match self {
            Self::Contained(detail) | Self::Open(detail) | Self::Unknown(detail) => detail,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Contained(_) => "contained",
            Self::Open(_) => "open",
            Self::Unknown(_) => "unknown",
        };
        write!(f, "{word} {}", self.detail())
    }
}

/// The error in the system's words, without its number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}
