//! What an external bot is made of.

use std::path::PathBuf;

/// What a bot outside is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A program that speaks the protocol.
    Command {
        /// The program and its arguments.
        command: Vec<String>,
        /// Where the paths among its words begin.
        base: PathBuf,
        /// The folder that is copied. Without one, the arguments that name files are.
        dir: Option<PathBuf>,
        /// A command that is run once in a copy of the folder.
        build: Option<Vec<String>>,
        /// What else it may read.
        read: Vec<PathBuf>,
    },
    /// A player for the published Java interfaces: a `.java` file, a folder of them, or a `.jar`.
    Java {
        /// Where it is.
        path: PathBuf,
        /// Its class, where that is not evident.
        class: Option<String>,
        /// What else it may read.
        read: Vec<PathBuf>,
    },
}
