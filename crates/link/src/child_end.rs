//! How a child came to its end, as its keeper tells it.

use std::fmt;
use std::str::FromStr;

/// How a child has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// It could not be started.
    NotStarted(String),
    /// By itself, with this status.
    Exited(i32),
    /// By a signal.
    Signalled(i32),
    /// For its use of memory.
    Memory,
    /// For what it wrote to its folder.
    Files,
    /// It was never meant to be started: this is what keeping it apart would lack.
    Surveyed(String),
}

impl Ended {
    #[cfg(unix)]
    pub(crate) fn of(status: rustix::process::WaitStatus) -> Self {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, signal) => Self::Signalled(signal.unwrap_or(0)),
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(why) => write!(f, "start {why}"),
            Self::Exited(status) => write!(f, "exit {status}"),
            Self::Signalled(signal) => write!(f, "signal {signal}"),
            Self::Memory => write!(f, "memory"),
            Self::Files => write!(f, "files"),
            Self::Surveyed(absent) => write!(f, "survey {absent}"),
        }
    }
}

/// The text is no end: its teller was killed in the middle of it.
#[derive(Debug)]
pub(crate) struct NoEnd;

impl FromStr for Ended {
    type Err = NoEnd;

    fn from_str(text: &str) -> Result<Self, NoEnd> {
        let (what, value) = text.split_once(' ').unwrap_or((text, ""));
        match what {
            "start" => Ok(Self::NotStarted(value.to_owned())),
            "exit" => value.parse().map(Self::Exited).map_err(|_| NoEnd),
            "signal" => value.parse().map(Self::Signalled).map_err(|_| NoEnd),
            "memory" => Ok(Self::Memory),
            "files" => Ok(Self::Files),
            "survey" => Ok(Self::Surveyed(value.to_owned())),
            _ => Err(NoEnd),
        }
    }
}
