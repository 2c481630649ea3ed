//! The names of limits.

use std::str::FromStr;

/// One of the [`Limits`](super::Limits).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitKey {
    /// The first answer of a process.
    StartMs,
    /// Each later answer.
    MoveMs,
    /// All answers of a seat in a game.
    GameMs,
    /// Memory.
    MemoryMb,
    /// A run.
    RunMs,
}

impl LimitKey {
    /// All limits, in the order of the documentation.
    pub const ALL: [Self; 5] =
        [Self::StartMs, Self::MoveMs, Self::GameMs, Self::MemoryMb, Self::RunMs];

    /// The key in hill files and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::StartMs => "start_ms",
            Self::MoveMs => "move_ms",
            Self::GameMs => "game_ms",
            Self::MemoryMb => "memory_mb",
            Self::RunMs => "run_ms",
        }
    }
}

/// A text that names no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such limit: {0:?}")]
pub struct ParseLimitKeyError(pub String);

impl FromStr for LimitKey {
    type Err = ParseLimitKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let key = Self::ALL.into_iter().find(|key| key.name() == text);
        key.ok_or_else(|| ParseLimitKeyError(text.to_owned()))
    }
}
