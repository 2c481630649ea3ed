//! What an external bot is made of.

use std::path::PathBuf;

/// What an external bot is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotSource {
    /// A program that speaks the protocol.
    Command {
        /// The program and its arguments.
        command: Vec<String>,
        /// The folder that relative paths in the command refer to.
        base: PathBuf,
        /// The folder that is copied. Without one, the files that the arguments name are copied.
        dir: Option<PathBuf>,
        /// A command that is run once in a copy of the folder.
        build: Option<Vec<String>>,
        /// Paths that it may read in addition.
        read: Vec<PathBuf>,
    },
    /// A player for the published Java interfaces: a `.java` file, a folder of them, or a `.jar`.
    Java {
        /// The file or folder.
        path: PathBuf,
        /// Its class, if there are several.
        class: Option<String>,
        /// Paths that it may read in addition.
        read: Vec<PathBuf>,
    },
    /// A program on its author's machine, which the server of the hill has a connection to.
    Remote {
        /// The number of the entry with which it came to the hill.
        entry: i64,
    },
}
