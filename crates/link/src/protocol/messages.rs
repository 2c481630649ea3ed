//! The messages that all games share.

use std::borrow::Cow;

use dicehill_arena::{Failure, Limits, Reason};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::excerpt::excerpt;
use super::json_line::without_place;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// The longest line that a bot may write, in bytes, without its newline.
pub const MAX_LINE_BYTES: usize = 64 << 10;

/// The first message of a process.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename = "hello")]
pub struct Hello<'a> {
    /// The version of the protocol: 1.
    pub protocol: u32,
    /// The game: `yahtzee` or `liars-dice`.
    pub game: &'a str,
    /// The variant of the rules.
    pub rules: &'a str,
    /// `game`: no game knows of another; `set`: one process serves the whole run.
    pub memory: &'a str,
    /// The entrant's name on the board.
    pub name: &'a str,
    /// What the bot may use.
    pub limits: HelloLimits,
}

/// What a bot may use.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct HelloLimits {
    /// Milliseconds until the first answer.
    pub start_ms: u64,
    /// Milliseconds for each later answer.
    pub move_ms: u64,
    /// Mebibytes of memory, with all that the process starts.
    pub memory_mb: u64,
}

impl From<Limits> for HelloLimits {
    fn from(Limits { start_ms, move_ms, memory_mb, .. }: Limits) -> Self {
        Self { start_ms, move_ms, memory_mb }
    }
}

/// A game begins.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename = "start")]
pub struct GameStart<'a> {
    /// The game's id.
    pub game: u64,
    /// Number of players.
    pub players: usize,
    /// The bot's own seed: 16 hexadecimal digits.
    pub seed: &'a str,
}

/// An answer was not accepted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename = "error")]
pub struct Refused<'a> {
    /// The request.
    pub id: u64,
    /// What is wrong with the answer.
    pub why: &'a str,
}

/// The process should exit.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename = "bye")]
pub struct Bye {}

/// Sent by the bot before its first answer, if at all.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Ready<'a> {
    /// `ready`.
    #[serde(borrow, rename = "type")]
    pub kind: Cow<'a, str>,
    /// How many requests, of different games, may be unanswered at once; 1 unless it says more.
    #[serde(default = "one")]
    pub inflight: u64,
    /// `round`: send a `round` message after each call.
    #[serde(default, borrow)]
    pub events: Vec<Cow<'a, str>>,
}

const fn one() -> u64 {
    1
}

/// The only event that a bot may ask for.
const ROUND: &str = "round";

impl Ready<'_> {
    /// Reads a `ready` message; `None` if the line is another message.
    ///
    /// # Errors
    /// If it is a `ready` message with invalid fields.
    pub fn parse(line: &[u8]) -> Result<Option<Capabilities>, Failure> {
        #[derive(Deserialize)]
        struct Kind<'a> {
            #[serde(borrow, rename = "type")]
            kind: Cow<'a, str>,
        }
        if !serde_json::from_slice(line).is_ok_and(|Kind { kind }| kind == "ready") {
            return Ok(None);
        }
        let malformed = |why: &dyn std::fmt::Display| {
            Failure::new(Reason::MalformedAnswer, format!("ready: {why}: {}", excerpt(line)))
        };
        let ready: Ready<'_> =
            serde_json::from_slice(line).map_err(|error| malformed(&without_place(&error)))?;
        if ready.inflight == 0 {
            return Err(malformed(&"inflight is 0"));
        }
        if let Some(event) = ready.events.iter().find(|event| *event != ROUND) {
            return Err(malformed(&format!("unknown event {event:?}")));
        }
        Ok(Some(Capabilities {
            in_flight: usize::try_from(ready.inflight).unwrap_or(usize::MAX),
            wants_rounds: !ready.events.is_empty(),
        }))
    }
}

/// What a bot declares in its `ready` message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// Requests that may be unanswered at once, at least 1.
    pub in_flight: usize,
    /// Whether to send what each call reveals.
    pub wants_rounds: bool,
}
