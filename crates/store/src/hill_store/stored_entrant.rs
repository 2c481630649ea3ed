//! Entrants and their files as a store has them.

use std::path::PathBuf;

use dicehill_arena::{BotName, OwnTerms};
use serde::{Deserialize, Serialize};

use crate::BotKind;

/// A version of an entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntrant {
    /// The name on the board.
    pub name: BotName,
    /// The row of the version.
    pub version: i64,
    /// The version's number, from 1.
    pub number: i64,
    /// The hash or name of everything that its play depends on.
    pub identity: String,
    /// What runs it. Its paths are relative to the folder with its files.
    pub kind: BotKind,
    /// Its author.
    pub author: Option<String>,
    /// The address of its page.
    pub url: Option<String>,
    /// Its votes, where the board counts votes.
    pub votes: Option<i64>,
    /// When the version was added, in seconds since 1970.
    pub added: i64,
}

/// A file of an entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// The path relative to the entrant's folder, without `..`.
    pub path: PathBuf,
    /// Whether it is executable.
    pub executable: bool,
    /// The bytes of the file.
    pub content: Vec<u8>,
}

/// A file of a bot, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileDigest {
    /// The path relative to the bot's folder, without `..`.
    pub path: PathBuf,
    /// Whether it is executable.
    pub executable: bool,
    pub(crate) hash: String,
}

impl FileDigest {
    /// The file with this content.
    #[must_use]
    pub fn new(path: PathBuf, executable: bool, content: &[u8]) -> Self {
        Self { path, executable, hash: Self::hash_of(content) }
    }

    /// The hash of a file's content, as the store has it.
    pub(crate) fn hash_of(content: &[u8]) -> String {
        format!("blake3:{}", blake3::hash(content))
    }
}

/// A new entrant, or a new version of an entrant.
#[derive(Clone, Debug)]
pub struct NewEntrant {
    /// The name on the board.
    pub name: BotName,
    /// The hash or name of everything that its play depends on.
    pub identity: String,
    /// What runs it. Its paths are relative to the folder with its files.
    pub kind: BotKind,
    /// Its files.
    pub files: Vec<StoredFile>,
    /// Its author.
    pub author: Option<String>,
    /// The address of its page.
    pub url: Option<String>,
    /// Its votes, where the board counts votes.
    pub votes: Option<i64>,
    /// The entry of the queue whose bot it is.
    pub entry: Option<i64>,
}

/// What runs an entrant, as the column `source` has it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum SourceColumn {
    House(String),
    Command {
        command: Vec<String>,
        /// Whether it runs in a folder of its own, rather than next to the files that it names.
        folder: bool,
        build: Option<Vec<String>>,
        read: Vec<PathBuf>,
        #[serde(default, skip_serializing_if = "OwnTerms::are_usual")]
        own_terms: OwnTerms,
    },
    Java {
        path: PathBuf,
        class: Option<String>,
        read: Vec<PathBuf>,
        #[serde(default, skip_serializing_if = "OwnTerms::are_usual")]
        own_terms: OwnTerms,
    },
    Remote {
        entry: i64,
    },
}

impl From<&BotKind> for SourceColumn {
    fn from(kind: &BotKind) -> Self {
        match kind.clone() {
            BotKind::House(name) => Self::House(name),
            BotKind::Command { command, dir, build, read, own_terms, .. } => {
                Self::Command { command, folder: dir.is_some(), build, read, own_terms }
            }
            BotKind::Java { path, class, read, own_terms } => {
                Self::Java { path, class, read, own_terms }
            }
            BotKind::Remote { entry } => Self::Remote { entry },
        }
    }
}

impl From<SourceColumn> for BotKind {
    fn from(raw: SourceColumn) -> Self {
        match raw {
            SourceColumn::House(name) => Self::House(name),
            SourceColumn::Command { command, folder, build, read, own_terms } => {
                let dir = folder.then(PathBuf::new);
                Self::Command { command, base: PathBuf::new(), dir, build, read, own_terms }
            }
            SourceColumn::Java { path, class, read, own_terms } => {
                Self::Java { path, class, read, own_terms }
            }
            SourceColumn::Remote { entry } => Self::Remote { entry },
        }
    }
}
