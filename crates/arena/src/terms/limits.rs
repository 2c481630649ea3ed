//! How long a bot keeps its memory, and what it may use.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limit_key::LimitKey;
use crate::contract::thousands;

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

/// What an external bot may use, and how long a run with it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Milliseconds until the first answer.
    pub start_ms: u64,
    /// Milliseconds for each later answer.
    pub move_ms: u64,
    /// Mebibytes of memory.
    pub memory_mb: u64,
    /// Milliseconds for all answers of a seat in a game; `None` for [`Limits::MOVES_PER_GAME`] times `move_ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_ms: Option<u64>,
    /// Milliseconds after which the host has the run interrupted; `None` for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_ms: Option<u64>,
}

impl Limits {
    /// How many answers at the limit of a move a game has time for, unless `game_ms` is set.
    pub const MOVES_PER_GAME: u64 = 30;
    /// The longest limit of a bot's time: a day.
    pub const MAX_MS: u64 = 86_400_000;
    /// The longest limit of a run: a year.
    pub const MAX_RUN_MS: u64 = 365 * Self::MAX_MS;
    /// The largest limit of memory: a tebibyte.
    pub const MAX_MEMORY_MB: u64 = 1 << 20;

    /// The limits, if all of them are in their ranges.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn checked(self) -> Result<Self, LimitError> {
        let Self { start_ms, move_ms, memory_mb, game_ms, run_ms } = self;
        check_limit(LimitKey::StartMs, Some(start_ms), Self::MAX_MS)?;
        check_limit(LimitKey::MoveMs, Some(move_ms), Self::MAX_MS)?;
        check_limit(LimitKey::MemoryMb, Some(memory_mb), Self::MAX_MEMORY_MB)?;
        check_limit(LimitKey::GameMs, game_ms, Self::MAX_MS)?;
        check_limit(LimitKey::RunMs, run_ms, Self::MAX_RUN_MS)?;
        Ok(self)
    }

    /// The value of a limit; `None` if it has none, or follows from another.
    #[must_use]
    pub const fn get(self, key: LimitKey) -> Option<u64> {
        match key {
            LimitKey::StartMs => Some(self.start_ms),
            LimitKey::MoveMs => Some(self.move_ms),
            LimitKey::GameMs => self.game_ms,
            LimitKey::MemoryMb => Some(self.memory_mb),
            LimitKey::RunMs => self.run_ms,
        }
    }

    /// The limits with this value of one of them; `None` for its default.
    ///
    /// # Errors
    /// If the value is not in its range.
    pub fn with(mut self, key: LimitKey, value: Option<u64>) -> Result<Self, LimitError> {
        let default = Self::default();
        match key {
            LimitKey::StartMs => self.start_ms = value.unwrap_or(default.start_ms),
            LimitKey::MoveMs => self.move_ms = value.unwrap_or(default.move_ms),
            LimitKey::GameMs => self.game_ms = value,
            LimitKey::MemoryMb => self.memory_mb = value.unwrap_or(default.memory_mb),
            LimitKey::RunMs => self.run_ms = value,
        }
        self.checked()
    }

    /// The same limits, with the default of `game_ms` recorded like a key that is left out.
    #[must_use]
    pub fn without_default(self) -> Self {
        let default = Self { game_ms: None, ..self };
        if self.game_time() == default.game_time() { default } else { self }
    }

    /// How long a seat may owe answers in a game, in wall time.
    #[must_use]
    pub const fn game_time(self) -> Duration {
        Duration::from_millis(match self.game_ms {
            Some(game_ms) => game_ms,
            None => self.move_ms.saturating_mul(Self::MOVES_PER_GAME),
        })
    }

    /// How long a run may take, in wall time, before it is interrupted.
    #[must_use]
    pub fn run_time(self) -> Option<Duration> {
        self.run_ms.map(Duration::from_millis)
    }

    /// Whether bots play under the same limits. The limit of a run changes no game.
    #[must_use]
    pub fn are_same_for_bots(self, other: Self) -> bool {
        let of_bots = |limits: Self| Self { run_ms: None, ..limits };
        of_bots(self) == of_bots(other)
    }
}

/// A limit that is not in its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitError {
    /// The limit's key in hill files.
    pub key: &'static str,
    /// The limit.
    pub value: u64,
    /// The largest one. The smallest is 1.
    pub most: u64,
}

impl fmt::Display for LimitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, value, most } = self;
        write!(formatter, "{key} = {value}: must be 1 to {}", thousands(*most))
    }
}

impl std::error::Error for LimitError {}

fn check_limit(key: LimitKey, limit: Option<u64>, most: u64) -> Result<(), LimitError> {
    match limit {
        Some(value) if !(1..=most).contains(&value) => {
            Err(LimitError { key: key.name(), value, most })
        }
        Some(_) | None => Ok(()),
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { start_ms: 10_000, move_ms: 1000, memory_mb: 512, game_ms: None, run_ms: None }
    }
}
