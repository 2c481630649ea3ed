//! Why a bot cannot be prepared.

use std::io;
use std::path::PathBuf;

use dicehill_arena::{Failure, Reason};

use crate::files::FilesError;

/// Why a bot cannot be made ready.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// Its files.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// Nothing to run.
    #[error("the command is empty")]
    NoCommand,
    /// Its program is nowhere.
    #[error("{program:?}: no such program {place}")]
    NoProgram {
        /// Its name.
        program: String,
        /// Where it was looked for.
        place: &'static str,
    },
    /// Neither file nor folder.
    #[error("{}: no such {what}", path.display())]
    NoSuch {
        /// The path.
        path: PathBuf,
        /// What should be there.
        what: &'static str,
    },
    /// Java separates the entries of a class path by colons.
    #[error("{}: the name of a jar may not contain a colon", .0.display())]
    JarName(PathBuf),
    /// It could not be built.
    #[error("{what} failed: {how}\n{output}")]
    Build {
        /// What was run.
        what: String,
        /// How it ended.
        how: String,
        /// The end of its output.
        output: String,
    },
    /// No Java on this machine.
    #[error(
        "a Java bot needs {what}, and none was found in JAVA_HOME or PATH: install a JDK, e.g. \
         `apt-get install default-jdk-headless`, `brew install openjdk`, or https://adoptium.net"
    )]
    NoJava {
        /// `java` or `javac`.
        what: &'static str,
    },
    /// The machine could not do it.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl PrepareError {
    /// Whether the arena's machine is at fault and not the bot.
    #[must_use]
    pub const fn is_arena_error(&self) -> bool {
        match self {
            Self::NoJava { .. } | Self::Io(_) => true,
            Self::Files(_)
            | Self::NoCommand
            | Self::NoProgram { .. }
            | Self::NoSuch { .. }
            | Self::JarName(_)
            | Self::Build { .. } => false,
        }
    }

    /// The failure of a bot that cannot be prepared.
    pub(crate) fn failure(&self) -> Failure {
        let reason = if self.is_arena_error() { Reason::ArenaError } else { Reason::Crash };
        Failure::new(reason, self.to_string())
    }
}
