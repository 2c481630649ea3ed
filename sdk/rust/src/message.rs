//! The messages that both games share.

use crate::json::{Read, Reader};

/// What the arena says of itself and of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// `yahtzee` or `liars-dice`.
    pub game: String,
    /// `official`, or the name of an original controller's rules.
    pub rules: String,
    /// How long the process lives.
    pub memory: Memory,
    /// The bot's name in the hill.
    pub name: String,
    /// The clocks and the memory.
    pub limits: Limits,
}

/// How long a process lives and what it may know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// No game may know of another.
    #[default]
    Game,
    /// The process lives through the run, one game at a time.
    Set,
}

/// The limits of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds until the first answer.
    pub start_ms: u64,
    /// Milliseconds for each later answer.
    pub move_ms: u64,
    /// Megabytes of memory.
    pub memory_mb: u64,
}

/// A game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The game's number.
    pub game: u64,
    /// How many play.
    pub players: u32,
    /// The bot's own seed for this game, 16 hexadecimal digits; no die can be told from it.
    pub seed: String,
}

impl Hello {
    pub(crate) fn read(line: &str) -> Read<Self> {
        let mut hello = Self::default();
        Reader::new(line).object(|reader, key| {
            match key {
                "game" => hello.game = reader.text()?.into_owned(),
                "rules" => hello.rules = reader.text()?.into_owned(),
                "memory" if reader.text()? == "set" => hello.memory = Memory::Set,
                "memory" => {}
                "name" => hello.name = reader.text()?.into_owned(),
                "limits" => hello.limits.read(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(hello)
    }
}

impl Limits {
    fn read(&mut self, reader: &mut Reader<'_>) -> Read<()> {
        reader.object(|reader, key| {
            match key {
                "start_ms" => self.start_ms = reader.number()?,
                "move_ms" => self.move_ms = reader.number()?,
                "memory_mb" => self.memory_mb = reader.number()?,
                _ => reader.skip()?,
            }
            Ok(())
        })
    }
}

impl Start {
    pub(crate) fn read(line: &str) -> Read<Self> {
        let mut start = Self::default();
        Reader::new(line).object(|reader, key| {
            match key {
                "game" => start.game = reader.number()?,
                "players" => start.players = reader.number()?,
                "seed" => start.seed = reader.text()?.into_owned(),
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(start)
    }
}
