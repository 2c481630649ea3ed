//! How long a bot keeps its memory, and what it may use.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How long a bot keeps its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Memory {
    /// Each game has a fresh bot.
    #[default]
    Game,
    /// One bot serves the whole run; games are played in order, one at a time.
    Set,
}

impl Memory {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Game, Self::Set];

    /// The name in hill files and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Set => "set",
        }
    }
}

/// A text that does not say how long a bot keeps its memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("memory = {0:?}: must be game or set")]
pub struct ParseMemoryError(pub String);

impl FromStr for Memory {
    type Err = ParseMemoryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let memory = Self::ALL.into_iter().find(|memory| memory.name() == text);
        memory.ok_or_else(|| ParseMemoryError(text.to_owned()))
    }
}

impl TryFrom<String> for Memory {
    type Error = ParseMemoryError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Memory> for &'static str {
    fn from(memory: Memory) -> Self {
        memory.name()
    }
}

/// What an external bot may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Milliseconds until the first answer.
    pub start_ms: u64,
    /// Milliseconds for each later answer.
    pub move_ms: u64,
    /// Mebibytes of memory.
    pub memory_mb: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { start_ms: 10_000, move_ms: 1000, memory_mb: 512 }
    }
}
