//! How a command ends, and the exit code for it.

use std::fmt;
use std::io;

use dicehill_store::{BotPreparationError, ExposedHill, FileError};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Successfully.
    Done,
    /// Successfully, but an entrant was barred.
    Barred,
    /// Successfully, but an attack on this machine is not contained.
    Open,
    /// Successfully, but a record is altered or a rerun differs from it.
    Differs,
    /// Interrupted by the user.
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

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line asks for something impossible.
    #[error("{0}")]
    Usage(String),
    /// A file is missing, damaged or altered.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system refused an operation.
    #[error("{0}")]
    Failed(io::Error),
    /// The reader of the output has closed it, which is no error.
    #[error("the output was closed")]
    ClosedPipe,
}

impl Failure {
    /// A bot that cannot be prepared, by the name that the user knows.
    pub(crate) fn not_ready(bot: impl fmt::Display, not_ready: BotPreparationError) -> Self {
        let BotPreparationError { why, is_arena_error, key } = not_ready;
        let name = format!("{bot}: ");
        let why = match key {
            Some(key) => format!("{name}{key} = {why}"),
            None if why.starts_with(&name) => why,
            None => name + &why,
        };
        BotPreparationError { why, is_arena_error, key }.into()
    }
}

impl From<BotPreparationError> for Failure {
    fn from(BotPreparationError { why, is_arena_error, .. }: BotPreparationError) -> Self {
        if is_arena_error { Self::Failed(io::Error::other(why)) } else { Self::Usage(why) }
    }
}

impl From<ExposedHill> for Failure {
    fn from(exposed: ExposedHill) -> Self {
        Self::Usage(exposed.to_string())
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
    /// Whether the command line or a file is at fault, rather than the machine.
    pub(crate) fn is_of_input(&self) -> bool {
        self.exit_code() == 2
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::File(error) if error.is_altered() || error.is_arena_error() => 1,
            Self::Usage(_) | Self::File(_) => 2,
            Self::Failed(_) => 1,
            Self::ClosedPipe => 0,
        }
    }
}
