//! What runs a bot.

use std::path::{Path, PathBuf};

use dicehill_arena::OwnTerms;

use super::environment::Environment;

/// What runs a bot. Its paths are relative to the folder of the hill file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotKind {
    /// The house bot with this name.
    House(String),
    /// A program that speaks the protocol.
    Command {
        /// The program and its arguments.
        command: Vec<String>,
        /// The folder to which the paths in the command are relative.
        base: PathBuf,
        /// The folder that is copied for the bot.
        dir: Option<PathBuf>,
        /// The command that is run once in a copy of that folder to build the bot.
        build: Option<Vec<String>>,
        /// Further paths that the bot may read.
        read: Vec<PathBuf>,
        /// What differs from the terms of its hill.
        own_terms: OwnTerms,
    },
    /// A player for the published Java interfaces.
    Java {
        /// A `.java` file, a folder of such files, or a `.jar`.
        path: PathBuf,
        /// The player's class; `None` if it is to be found.
        class: Option<String>,
        /// Further paths that the bot may read.
        read: Vec<PathBuf>,
        /// What differs from the terms of its hill.
        own_terms: OwnTerms,
    },
    /// A program on its author's machine.
    Remote {
        /// The number of the entry with which it came to the hill.
        entry: i64,
    },
}

impl BotKind {
    /// What differs from the terms of its hill.
    #[must_use]
    pub fn own_terms(&self) -> OwnTerms {
        match self {
            Self::House(_) => OwnTerms::default(),
            Self::Command { own_terms, .. } | Self::Java { own_terms, .. } => own_terms.clone(),
            Self::Remote { .. } => {
                OwnTerms { remote: true, deterministic: false, ..OwnTerms::default() }
            }
        }
    }

    /// The same bot, which may read the files of an environment too. The programs that start and build it are taken from there if
    /// it has programs of these names.
    #[must_use]
    pub fn in_environment(mut self, environment: &Environment) -> Self {
        let take_program = |command: &mut [String]| {
            let program = command.first().and_then(|name| environment.program(name));
            if let (Some(name), Some(program)) = (command.first_mut(), program) {
                *name = program.display().to_string();
            }
        };
        match &mut self {
            Self::Command { command, build, read, .. } => {
                take_program(command);
                build.as_mut().into_iter().for_each(|build| take_program(build));
                read.extend_from_slice(&environment.read);
            }
            Self::Java { read, .. } => read.extend_from_slice(&environment.read),
            Self::House(_) | Self::Remote { .. } => {}
        }
        self
    }

    /// The same bot, whose files are in `folder`: relative paths become paths in it.
    #[must_use]
    pub fn with_files_in(self, folder: &Path) -> Self {
        match self {
            Self::House(name) => Self::House(name),
            Self::Command { command, dir, build, read, own_terms, .. } => Self::Command {
                command,
                base: folder.to_owned(),
                dir: dir.map(|dir| folder.join(dir)),
                build,
                read,
                own_terms,
            },
            Self::Java { path, class, read, own_terms } => {
                Self::Java { path: folder.join(path), class, read, own_terms }
            }
            Self::Remote { entry } => Self::Remote { entry },
        }
    }
}
