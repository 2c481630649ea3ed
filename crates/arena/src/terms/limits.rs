//! How long a bot keeps its memory, and what it may use.

use serde::{Deserialize, Serialize};

/// How long a bot keeps its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

    /// The name in hill files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Set => "set",
        }
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
