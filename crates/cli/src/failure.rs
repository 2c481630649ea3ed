//! How a command ends, and the exit code for it.

use std::fmt;
use std::io;

use dicehill_store::{FileError, NotReady};

/// How a command came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// As it should.
    Done,
    /// As it should, but an entrant was barred.
    Barred,
    /// As it should, but an attack on this machine is open.
    Open,
    /// As it should, but something recorded is not what it ought to be.
    Differs,
    /// Somebody interrupted it.
    Interrupted,
}

impl Outcome {
    pub(crate) const fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Barred | Self::Open => 3,
            Self::Differs => 1,
            Self::Interrupted => 130,
        }
    }
}

/// Why a command could not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The user asked for something impossible.
    #[error("{0}")]
    Usage(String),
    /// A file is not what it should be.
    #[error(transparent)]
    File(#[from] FileError),
    /// The machine could not do it.
    #[error("{0}")]
    Failed(io::Error),
    /// Nobody reads the output any more, which is no error.
    #[error("nobody reads the output")]
    ClosedPipe,
}

impl Failure {
    /// A bot that cannot be prepared, by the name under which it is known to the user.
    pub(crate) fn not_ready(bot: impl fmt::Display, not_ready: NotReady) -> Self {
        let NotReady { why, is_arena_error } = not_ready;
        NotReady { why: format!("{bot}: {why}"), is_arena_error }.into()
    }
}

impl From<NotReady> for Failure {
    fn from(NotReady { why, is_arena_error }: NotReady) -> Self {
        if is_arena_error { Self::Failed(io::Error::other(why)) } else { Self::Usage(why) }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Failed(error)
        }
    }
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::File(error) if error.is_altered() || error.is_arena_error() => 1,
            Self::Usage(_) | Self::File(_) => 2,
            Self::Failed(_) => 1,
            Self::ClosedPipe => 0,
        }
    }
}
