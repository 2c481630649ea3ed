//! The protocol's messages, version 1: one JSON object a line. `protocol/bots.md` is written for
//! authors of bots, and the schemas in `protocol/schemas` are made from these types.

mod excerpt;
mod liars_dice;
mod yahtzee;

use std::borrow::Cow;

use dicehill_arena::{Failure, Finished, Limits, Reason};
use dicehill_rules::Game;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use excerpt::excerpt;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;
/// The longest line that a bot may write, in bytes, its newline aside.
pub const LONGEST_LINE: usize = 64 << 10;

/// A game that can be played over the protocol.
pub trait WireGame: Game {
    /// The fields of an answer.
    const ANSWER_FIELDS: &'static [&'static str];

    /// Writes the request for an action.
    fn write_turn(view: &Self::View<'_>, ids: Ids, line: &mut Vec<u8>);

    /// Writes what an action is about to show everybody, for bots that asked for it. A game in which
    /// nothing is hidden writes nothing.
    fn write_reveal(game: &Self, id: u64, line: &mut Vec<u8>);

    /// Writes that a game is over.
    fn write_end(finished: &Finished<'_, Self>, id: u64, line: &mut Vec<u8>);

    /// Reads an answer.
    ///
    /// # Errors
    /// If the line does not say which request it answers.
    fn read_answer(line: &[u8]) -> Result<Said<Self>, Unreadable>;

    /// The action as a bot answers it.
    fn write_answer(action: &Self::Action, id: u64, line: &mut Vec<u8>);

    /// The schemas of this game's messages, by name.
    fn schemas() -> Vec<(&'static str, Schema)>;
}

/// The ids of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ids {
    /// Of the request.
    pub request: u64,
    /// Of the game.
    pub game: u64,
}

/// What a bot said about a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said<G: Game> {
    /// The request.
    pub id: u64,
    /// Its answer, or what is wrong with it.
    pub action: Result<G::Action, Failure>,
}

/// A line that answers nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Not JSON.
    #[error("not JSON ({why}): {line}")]
    NotJson {
        /// What the parser says.
        why: String,
        /// The beginning of the line.
        line: String,
    },
    /// JSON without the id of a request.
    #[error("no \"id\" of a request: {0}")]
    NoId(String),
}

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
    /// `game`: no game knows of another; `set`: the process lives through the run.
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
    fn from(Limits { start_ms, move_ms, memory_mb }: Limits) -> Self {
        Self { start_ms, move_ms, memory_mb }
    }
}

/// A game begins.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename = "start")]
pub struct GameStart<'a> {
    /// The game's id.
    pub game: u64,
    /// How many sit at the table.
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

/// The process may go.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename = "bye")]
pub struct Bye {}

/// What a bot may say before its first answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Ready<'a> {
    /// `ready`.
    #[serde(borrow, rename = "type")]
    pub kind: Cow<'a, str>,
    /// How many requests, of different games, may be unanswered at once; 1 unless it says more.
    #[serde(default = "one")]
    pub inflight: u64,
    /// `round`: tell what each call reveals.
    #[serde(default, borrow)]
    pub events: Vec<Cow<'a, str>>,
}

const fn one() -> u64 {
    1
}

/// The event that a bot may ask for.
const ROUND: &str = "round";

impl Ready<'_> {
    /// Reads the line of a bot that says it is ready; `None` if it says something else.
    ///
    /// # Errors
    /// If it says that it is ready in a way that cannot be understood.
    pub fn read(line: &[u8]) -> Option<Result<ReadyFor, Failure>> {
        #[derive(Deserialize)]
        struct Kind<'a> {
            #[serde(borrow, rename = "type")]
            kind: Cow<'a, str>,
        }
        let kind: Kind<'_> = serde_json::from_slice(line).ok()?;
        if kind.kind != "ready" {
            return None;
        }
        let malformed = |why: &dyn std::fmt::Display| {
            Failure::new(Reason::MalformedAnswer, format!("ready: {why}: {}", excerpt(line)))
        };
        let ready: Ready<'_> = match serde_json::from_slice(line) {
            Ok(ready) => ready,
            Err(error) => return Some(Err(malformed(&without_place(&error)))),
        };
        if ready.inflight == 0 {
            return Some(Err(malformed(&"inflight is 0")));
        }
        if let Some(event) = ready.events.iter().find(|event| *event != ROUND) {
            return Some(Err(malformed(&format!("unknown event {event:?}"))));
        }
        let inflight = usize::try_from(ready.inflight).unwrap_or(usize::MAX);
        Some(Ok(ReadyFor { inflight, rounds: !ready.events.is_empty() }))
    }
}

/// What a bot has said that it is ready for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadyFor {
    /// Requests that may be unanswered at once, at least 1.
    pub inflight: usize,
    /// Whether it wants to know what each call reveals.
    pub rounds: bool,
}

/// Appends a message with its newline.
pub fn write_line(message: &impl Serialize, line: &mut Vec<u8>) {
    serde_json::to_writer(&mut *line, message).expect("messages have only string keys");
    line.push(b'\n');
}

/// The schema of a message to a bot. What kind it is stands in its `type`, of which its Rust type only knows when
/// it is written.
fn schema_of<T: JsonSchema>(kind: &str) -> Schema {
    let mut schema = schemars::schema_for!(T);
    let named = schema.ensure_object();
    let properties = named.entry("properties").or_insert_with(|| json!({}));
    properties["type"] = json!({ "const": kind, "description": "What kind of message this is." });
    let required = named.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        required.insert(0, json!("type"));
    }
    schema
}

/// The schemas of the messages that all games share, by name.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("hello", schema_of::<Hello<'_>>("hello")),
        ("ready", schemars::schema_for!(Ready<'_>)),
        ("start", schema_of::<GameStart<'_>>("start")),
        ("error", schema_of::<Refused<'_>>("error")),
        ("bye", schema_of::<Bye>("bye")),
    ]
}

/// Only the id of an answer, to find whose fault the rest of it is.
fn id_of(line: &[u8], why: &serde_json::Error) -> Result<u64, Unreadable> {
    let value: serde_json::Value = serde_json::from_slice(line)
        .map_err(|_| Unreadable::NotJson { why: without_place(why), line: excerpt(line) })?;
    value
        .get("id")
        .and_then(serde_json::Value::as_u64)
        .ok_or_else(|| Unreadable::NoId(excerpt(line)))
}

/// An answer whose id is known and whose rest cannot be read.
fn malformed(line: &[u8], why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Reason::MalformedAnswer, format!("{why}: {}", excerpt(line)))
}

/// What the parser says, without the place: the line is short and shown.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
