//! How a child process ended, as its supervisor reports it.

use std::fmt;
use std::io::{self, ErrorKind};
use std::str::FromStr;

use super::error_text::error_text;

/// How a child ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ChildEnd {
    /// Its command cannot be run.
    NotStarted(String),
    /// The arena could not start it, whatever the command.
    ArenaError(String),
    /// It exited with this status.
    Exited(i32),
    /// A signal ended it.
    Signalled(i32),
    /// It was killed because of its use of memory.
    Memory,
    /// It was killed because of what it wrote to its folders.
    Files,
    /// It was killed because of its mappings of memory.
    Mappings,
    /// It was killed because of the memory that the kernel holds for its descriptors.
    KernelMemory,
    /// It was killed because it hid its open files, which count as far as they have no name, or its mappings of memory.
    HiddenFiles,
    /// It was a probe: the missing mechanisms, as JSON.
    Probed(String),
}

impl ChildEnd {
    /// Why a command was not started: because of the command, or because of a lack of memory, processes or
    /// descriptors, which is the arena's error.
    pub(crate) fn of_spawn_error(error: &io::Error) -> Self {
        if is_shortage(error) {
            Self::ArenaError(error.to_string())
        } else {
            Self::NotStarted(why_not_started(error))
        }
    }

    pub(crate) fn of_status(status: rustix::process::WaitStatus) -> Self {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, signal) => Self::Signalled(signal.unwrap_or(0)),
        }
    }
}

/// Why a command cannot be run, without the number of the system's error.
fn why_not_started(error: &io::Error) -> String {
    if error.kind() == ErrorKind::NotFound {
        return "it, or the interpreter that its first line names, is not there".to_owned();
    }
    error_text(error)
}

impl fmt::Display for ChildEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(why) => write!(f, "start {why}"),
            Self::ArenaError(why) => write!(f, "arena {why}"),
            Self::Exited(status) => write!(f, "exit {status}"),
            Self::Signalled(signal) => write!(f, "signal {signal}"),
            Self::Memory => write!(f, "memory"),
            Self::Files => write!(f, "files"),
            Self::Mappings => write!(f, "mappings"),
            Self::KernelMemory => write!(f, "kernel-memory"),
            Self::HiddenFiles => write!(f, "hidden-files"),
            Self::Probed(missing) => write!(f, "probe {missing}"),
        }
    }
}

impl From<io::Error> for ChildEnd {
    fn from(error: io::Error) -> Self {
        Self::ArenaError(error.to_string())
    }
}

/// Whether a process could not be started because the machine or a limit of the arena is exhausted.
fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let by_number = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE];
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory)
        || by_number.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// The text is not a complete report: the supervisor was killed while writing it.
#[derive(Debug)]
pub(crate) struct IncompleteReport;

impl FromStr for ChildEnd {
    type Err = IncompleteReport;

    fn from_str(text: &str) -> Result<Self, IncompleteReport> {
        let (what, value) = text.split_once(' ').unwrap_or((text, ""));
        match what {
            "start" => Ok(Self::NotStarted(value.to_owned())),
            "arena" => Ok(Self::ArenaError(value.to_owned())),
            "exit" => value.parse().map(Self::Exited).map_err(|_| IncompleteReport),
            "signal" => value.parse().map(Self::Signalled).map_err(|_| IncompleteReport),
            "memory" => Ok(Self::Memory),
            "files" => Ok(Self::Files),
            "mappings" => Ok(Self::Mappings),
            "kernel-memory" => Ok(Self::KernelMemory),
            "hidden-files" => Ok(Self::HiddenFiles),
            "probe" => Ok(Self::Probed(value.to_owned())),
            _ => Err(IncompleteReport),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_round_trip() {
        let why = || "mount namespace: no".to_owned();
        for end in [
            ChildEnd::NotStarted(why()),
            ChildEnd::ArenaError(why()),
            ChildEnd::Exited(3),
            ChildEnd::Signalled(9),
            ChildEnd::Memory,
            ChildEnd::Files,
            ChildEnd::Mappings,
            ChildEnd::KernelMemory,
            ChildEnd::HiddenFiles,
            ChildEnd::Probed("[]".to_owned()),
        ] {
            assert_eq!(end.to_string().parse::<ChildEnd>().ok(), Some(end));
        }
    }

    #[test]
    fn exhausted_resources_are_an_arena_error() {
        use rustix::io::Errno;
        for errno in [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE] {
            assert!(
                matches!(ChildEnd::of_spawn_error(&errno.into()), ChildEnd::ArenaError(_)),
                "{errno}"
            );
        }
        let of_command = [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC, Errno::TOOBIG, Errno::ISDIR];
        for errno in of_command {
            assert!(
                matches!(ChildEnd::of_spawn_error(&errno.into()), ChildEnd::NotStarted(_)),
                "{errno}"
            );
        }
    }
}
