//! Reads and writes messages of JSON.

use dicehill_arena::GameRange;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest message, in bytes; the limit of a server may be lower.
const MAX_BYTES: usize = 8 << 20;

/// The numbers of documents are below this one.
const NUMBER_END: u64 = 1 << 53;

/// Why a message is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MessageError {
    /// It is too long.
    #[error("a message of {0} bytes")]
    TooLong(usize),
    /// It is no such message.
    #[error("not a message of this kind: {0}")]
    Json(String),
    /// A value is not allowed.
    #[error("{key}: {why}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong.
        why: String,
    },
}

/// Reads a message.
///
/// # Errors
/// If it is too long, or no such message.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, MessageError> {
    if bytes.len() > MAX_BYTES {
        return Err(MessageError::TooLong(bytes.len()));
    }
    serde_json::from_slice(bytes).map_err(|error| MessageError::Json(error.to_string()))
}

/// Writes a message.
///
/// # Panics
/// If its keys are no texts: the messages of this crate have such keys.
pub(crate) fn write<T: Serialize>(message: &T) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages are JSON")
}

/// A text of at most `most` characters, without what is not printable.
pub(super) fn short_text(
    key: &'static str,
    text: &str,
    most: usize,
) -> Result<String, MessageError> {
    if text.chars().count() > most {
        let why = format!("longer than {most} characters");
        return Err(MessageError::Value { key, why });
    }
    Ok(dicehill_arena::printable(text))
}

/// The games `first` to `last`, of which there is at least one.
pub(super) fn checked_games(first: u64, last: u64) -> Result<GameRange, MessageError> {
    let games = GameRange::new(first, last).filter(|games| games.count() > 0 && last < NUMBER_END);
    games.ok_or_else(|| MessageError::Value { key: "games", why: format!("{first} to {last}") })
}
