//! The kinds of lines in a run log, and the text of those that are neither header, game nor result.

use std::fmt;

use dicehill_arena::{Bar, printable_json};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use crate::json_message;

/// The longest line of a game, in bytes; a result's line may be longer.
const MAX_GAME_BYTES: usize = 1 << 20;

/// A line of a log, by its kind.
pub(crate) enum LogLine {
    Header,
    /// The log has only the games of this bot.
    Excerpt(String),
    Game {
        game: u64,
        line: String,
    },
    Barred(Box<Bar>),
    Sealed(String),
    Result(String),
}

impl LogLine {
    /// Reads a line as far as its kind requires.
    ///
    /// # Errors
    /// If it is not a line of a run log; the message says why.
    pub(crate) fn read(line: String) -> Result<Self, String> {
        let foreign = |error: serde_json::Error| not_a_log_line(&json_message(&error));
        let raw: RawLine = serde_json::from_str(&line).map_err(foreign)?;
        match (raw.r#type.as_deref(), raw.schema.as_deref(), raw.game.0) {
            (Some("header"), _, _) => Ok(Self::Header),
            (Some("excerpt"), _, _) => Ok(Self::Excerpt(raw.bot.unwrap_or_default())),
            (Some("game"), _, Some(1..)) if line.len() > MAX_GAME_BYTES => {
                Err(format!("longer than {MAX_GAME_BYTES} bytes: not a game"))
            }
            (Some("game"), _, Some(game @ 1..)) => Ok(Self::Game { game, line }),
            (Some("barred"), _, _) => {
                Ok(Self::Barred(serde_json::from_str(&line).map_err(foreign)?))
            }
            (Some("sealed"), _, _) => Ok(Self::Sealed(raw.hash.unwrap_or_default())),
            (None, Some("dicehill.result/1"), _) => Ok(Self::Result(line)),
            (kind, schema, _) => Err(not_a_log_line(&format!(
                "type {:?}, schema {:?}",
                kind.unwrap_or_default(),
                schema.unwrap_or_default()
            ))),
        }
    }
}

/// The message for a line of another kind.
pub(super) fn not_a_log_line(why: &str) -> String {
    format!("not a line of a run log: {why}")
}

/// The keys that identify the kind of a line.
#[derive(Deserialize)]
struct RawLine {
    r#type: Option<String>,
    schema: Option<String>,
    #[serde(default)]
    game: GameField,
    hash: Option<String>,
    bot: Option<String>,
}

/// The number in a game's line, or the name of the game in a result's. Values of other types are refused before they use
/// memory.
#[derive(Default)]
struct GameField(Option<u64>);

impl<'de> Deserialize<'de> for GameField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Field;

        impl Visitor<'_> for Field {
            type Value = GameField;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the number of a game or the name of one")
            }

            fn visit_u64<E>(self, number: u64) -> Result<GameField, E> {
                Ok(GameField(Some(number)))
            }

            fn visit_str<E>(self, _name: &str) -> Result<GameField, E> {
                Ok(GameField(None))
            }
        }

        deserializer.deserialize_any(Field)
    }
}

/// The line of a bar, without the newline.
pub(crate) fn bar_line(bar: &Bar) -> serde_json::Result<String> {
    printable_json(&BarredLine { r#type: "barred", bar })
}

/// The line before the result, without the newline. `hasher` has read all lines before it.
pub(crate) fn seal_line(hasher: &blake3::Hasher) -> serde_json::Result<String> {
    let hash = format!("blake3:{}", hasher.finalize());
    printable_json(&SealLine { r#type: "sealed", hash })
}

#[derive(Serialize)]
struct BarredLine<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    bar: &'a Bar,
}

#[derive(Serialize)]
struct SealLine {
    r#type: &'static str,
    hash: String,
}
