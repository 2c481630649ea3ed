//! Why a bot cannot be prepared.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::FilesError;

/// What a bot needs and what does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The folder of a command.
    Folder,
    /// The script that a command names.
    Script,
    /// What a bot may read besides its own files.
    ToRead,
    /// The file or folder of a player.
    Player,
    /// A file in the folder of a player that makes its classes.
    JavaFile,
}

impl fmt::Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Folder => "folder",
            Self::Script => "file",
            Self::ToRead => "file or folder to read",
            Self::Player => "file or folder",
            Self::JavaFile => "Java source or jar",
        })
    }
}

/// Why a bot cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// A problem of its files.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// An empty command.
    #[error("the command is empty")]
    NoCommand,
    /// The program does not exist.
    #[error("{program:?}: no such program {place}")]
    NoProgram {
        /// The program.
        program: String,
        /// Where it was looked for, for display.
        place: &'static str,
    },
    /// The interpreter of a virtual environment that bots may not read.
    #[error(
        "{}: leads to {}, which is in no installation of the PATH: put its folder into the PATH, or \
         install the packages next to the bot with `pip install --target vendor`",
        program.display(), real.display()
    )]
    Environment {
        /// The interpreter.
        program: PathBuf,
        /// Where its link leads.
        real: PathBuf,
    },
    /// A bot that is to be kept names a program of a virtual environment.
    #[error(
        "command = {0:?}: a virtual environment is not kept with the bot: install the packages next to \
         the bot with `pip install --target vendor`, and start it by python3"
    )]
    EnvironmentNotKept(String),
    /// The program is a file that may not be executed.
    #[error("{program:?}: not executable: {}", how_to_start(program))]
    NotExecutable {
        /// The program.
        program: String,
    },
    /// The `#!` line of the program ends with a carriage return.
    #[error(
        "{program:?}: cannot be run, because its first line ends with a carriage return, as on Windows: save it with \
         the line ends of Unix, for example by `sed -i 's/\\r$//' {}`",
        command_word(program)
    )]
    WindowsLineEnd {
        /// The program.
        program: String,
    },
    /// The `#!` line of the program names a program that does not exist.
    #[error(
        "{program:?}: cannot be run, because its first line names {interpreter:?}, which does not exist here: name the \
         interpreter that is to run it, such as `#!/usr/bin/env python3`"
    )]
    NoInterpreter {
        /// The program.
        program: String,
        /// What its first line names.
        interpreter: String,
    },
    /// A file or folder that does not exist.
    #[error("{}: no such {what}", path.display())]
    NoSuch {
        /// The path, as it was written.
        path: PathBuf,
        /// Where it was looked for.
        at: PathBuf,
        /// What was expected there.
        what: Missing,
    },
    /// A colon in the name of a jar: class paths are separated by colons.
    #[error("{}: the name of a jar may not contain a colon", .0.display())]
    JarName(PathBuf),
    /// Its classes have no player, or several.
    #[error("{}: {why}", path.display())]
    Player {
        /// The bot's file or folder.
        path: PathBuf,
        /// What is wrong, and the remedy.
        why: String,
    },
    /// The build failed.
    #[error("{what} failed: {how}\n{output}")]
    Build {
        /// The command.
        what: String,
        /// How it ended.
        how: String,
        /// The end of its output.
        output: String,
    },
    /// This machine has no JDK.
    #[error(
        "a Java bot needs {what}, and none was found in JAVA_HOME or PATH: install a JDK, e.g. \
         `apt-get install default-jdk-headless`, `brew install openjdk`, or https://adoptium.net"
    )]
    NoJava {
        /// `java` or `javac`.
        what: &'static str,
    },
    /// An error of the arena's machine.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// The program as a word of a command in a message.
fn command_word(program: &str) -> String {
    match program.contains(char::is_whitespace) {
        true => format!("{program:?}"),
        false => program.to_owned(),
    }
}

/// How a program can be started that is not executable.
fn how_to_start(program: &str) -> String {
    let chmod = format!("run `chmod +x {}`", command_word(program));
    let interpreter = match program.rsplit_once('.').map(|(_, extension)| extension) {
        Some("py") => "python3",
        Some("pl") => "perl",
        Some("rb") => "ruby",
        Some("sh") => "sh",
        Some("js" | "mjs" | "cjs") => "node",
        _ => return chmod,
    };
    format!("{chmod}, or name its interpreter: command = [{interpreter:?}, {program:?}]")
}

impl PrepareError {
    /// A file or folder that does not exist, looked for in this folder.
    pub(crate) fn no_such(what: Missing, path: &Path, folder: &Path) -> Self {
        Self::NoSuch { path: path.to_owned(), at: folder.join(path), what }
    }

    /// The key of a hill file or `bot.toml` that names what is missing, if it is not the command or the player.
    #[must_use]
    pub fn key(&self) -> Option<&'static str> {
        let Self::NoSuch { what, .. } = self else { return None };
        match what {
            Missing::Folder => Some("dir"),
            Missing::ToRead => Some("read"),
            Missing::Script | Missing::Player | Missing::JavaFile => None,
        }
    }

    /// Whether the arena's machine is at fault and not the bot.
    #[must_use]
    pub const fn is_arena_error(&self) -> bool {
        match self {
            Self::NoJava { .. } | Self::Io(_) => true,
            Self::Files(_)
            | Self::NoCommand
            | Self::NoProgram { .. }
            | Self::Environment { .. }
            | Self::EnvironmentNotKept(_)
            | Self::NotExecutable { .. }
            | Self::WindowsLineEnd { .. }
            | Self::NoInterpreter { .. }
            | Self::NoSuch { .. }
            | Self::JarName(_)
            | Self::Player { .. }
            | Self::Build { .. } => false,
        }
    }
}
