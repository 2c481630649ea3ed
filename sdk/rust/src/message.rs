//! The messages that both games share.

use crate::json::{Read, Reader};

/// The arena's first message: the game, the rules and the limits of the run.
///
/// A bot's constructor receives it:
///
/// ```no_run
/// use dicehill_bot::yahtzee::{Answer, Bot, Turn};
/// use dicehill_bot::{Bots, Hello};
///
/// struct Mine {
///     has_time: bool,
/// }
///
/// impl Bot for Mine {
///     fn turn(&mut self, turn: &Turn) -> Answer {
///         if self.has_time && turn.stage < 2 { turn.keep([]) } else { turn.fill(turn.legal.best()) }
///     }
/// }
///
/// let new_game = |hello: &Hello| Mine { has_time: hello.limits.move_ms >= 100 };
/// Bots::new().yahtzee(new_game).run();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// `yahtzee` or `liars-dice`.
    pub game: String,
    /// `official`, or the name of an original controller's rules.
    pub rules: String,
    /// Whether the process may remember earlier games.
    pub memory: Memory,
    /// The bot's name in the hill.
    pub name: String,
    /// The limits of time and memory.
    pub limits: Limits,
}

/// What a process may remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Nothing: no game may affect another.
    #[default]
    Game,
    /// Everything: one process plays the whole run, one game at a time.
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

/// The start of a game.
///
/// ```
/// use dicehill_bot::Start;
///
/// // A generator of random numbers that is reproducible takes the seed of the game.
/// let start = Start { game: 12, players: 3, seed: "9f3c00a1b2c3d4e5".to_owned() };
/// let seed = u64::from_str_radix(&start.seed, 16).expect("16 hexadecimal digits");
/// assert_eq!(seed, 0x9f3c_00a1_b2c3_d4e5);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The game's number.
    pub game: u64,
    /// The number of players.
    pub players: u32,
    /// The bot's seed for this game, 16 hexadecimal digits. It reveals nothing about the dice.
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
