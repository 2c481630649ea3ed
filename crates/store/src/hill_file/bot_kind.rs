//! What a bot of a hill file plays with.

use std::path::{Path, PathBuf};

/// What a bot of a hill file plays with; its paths begin where the hill file lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotKind {
    /// The house bot of this name.
    House(String),
    /// A program that speaks the protocol.
    Command {
        /// The program and its arguments.
        command: Vec<String>,
        /// Where the paths among its words begin.
        base: PathBuf,
        /// The folder that is copied.
        dir: Option<PathBuf>,
        /// What is run once in a copy of it.
        build: Option<Vec<String>>,
        /// More that it may read.
        read: Vec<PathBuf>,
    },
    /// A player for the published Java interfaces.
    Java {
        /// A `.java` file, a folder of them, or a `.jar`.
        path: PathBuf,
        /// Its class, where that is not evident.
        class: Option<String>,
        /// More that it may read.
        read: Vec<PathBuf>,
    },
}

impl BotKind {
    /// The same with its files laid out in `folder`, from where its paths begin.
    #[must_use]
    pub fn laid_out_in(self, folder: &Path) -> Self {
        match self {
            Self::House(name) => Self::House(name),
            Self::Command { command, dir, build, read, .. } => Self::Command {
                command,
                base: folder.to_owned(),
                dir: dir.map(|dir| folder.join(dir)),
                build,
                read,
            },
            Self::Java { path, class, read } => Self::Java { path: folder.join(path), class, read },
        }
    }
}
