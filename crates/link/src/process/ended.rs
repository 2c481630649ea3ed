//! How a child process ended, as its supervisor reports it.

use std::fmt;
use std::io::{self, ErrorKind};
use std::str::FromStr;

/// How a child has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// Its command cannot be run.
    NotStarted(String),
    /// The arena could not start it, whatever its command is.
    ArenaError(String),
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
    /// Why a command was not started: the command, or a lack of memory, processes or descriptors, for which
    /// the arena answers.
    pub(crate) fn of_spawn(error: &io::Error) -> Self {
        if is_shortage(error) {
            Self::ArenaError(error.to_string())
        } else {
            Self::NotStarted(error.to_string())
        }
    }

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
            Self::ArenaError(why) => write!(f, "arena {why}"),
            Self::Exited(status) => write!(f, "exit {status}"),
            Self::Signalled(signal) => write!(f, "signal {signal}"),
            Self::Memory => write!(f, "memory"),
            Self::Files => write!(f, "files"),
            Self::Surveyed(absent) => write!(f, "survey {absent}"),
        }
    }
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::ArenaError(error.to_string())
    }
}

/// Whether a process could not be started because the machine or a limit of the arena had no more to give.
fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let by_number = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE];
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory)
        || by_number.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
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
            "arena" => Ok(Self::ArenaError(value.to_owned())),
            "exit" => value.parse().map(Self::Exited).map_err(|_| NoEnd),
            "signal" => value.parse().map(Self::Signalled).map_err(|_| NoEnd),
            "memory" => Ok(Self::Memory),
            "files" => Ok(Self::Files),
            "survey" => Ok(Self::Surveyed(value.to_owned())),
            _ => Err(NoEnd),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_read_as_it_was_written() {
        let why = || "mount namespace: no".to_owned();
        for end in [
            Ended::NotStarted(why()),
            Ended::ArenaError(why()),
            Ended::Exited(3),
            Ended::Signalled(9),
            Ended::Memory,
            Ended::Files,
            Ended::Surveyed("[]".to_owned()),
        ] {
            assert_eq!(end.to_string().parse::<Ended>().ok(), Some(end));
        }
    }

    #[test]
    fn a_shortage_is_not_the_command_s_fault() {
        use rustix::io::Errno;
        for errno in [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE] {
            assert!(matches!(Ended::of_spawn(&errno.into()), Ended::ArenaError(_)), "{errno}");
        }
        let of_command = [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC, Errno::TOOBIG, Errno::ISDIR];
        for errno in of_command {
            assert!(matches!(Ended::of_spawn(&errno.into()), Ended::NotStarted(_)), "{errno}");
        }
    }
}
