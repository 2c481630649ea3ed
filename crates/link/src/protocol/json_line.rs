//! Writes and reads single lines of JSON.

use dicehill_arena::{Failure, Reason};
use serde::Serialize;

use super::excerpt::excerpt;
use super::wire_game::Unreadable;

/// Appends a message and a newline.
pub fn write_line(message: &impl Serialize, line: &mut Vec<u8>) {
    serde_json::to_writer(&mut *line, message).expect("messages have only string keys");
    line.push(b'\n');
}

/// The id of an answer that is not valid otherwise, to find the request that it belongs to.
pub(super) fn id_of(line: &[u8], why: &serde_json::Error) -> Result<u64, Unreadable> {
    let value: serde_json::Value = serde_json::from_slice(line)
        .map_err(|_| Unreadable::NotJson { why: without_place(why), line: excerpt(line) })?;
    value
        .get("id")
        .and_then(serde_json::Value::as_u64)
        .ok_or_else(|| Unreadable::NoId(excerpt(line)))
}

/// The failure of an answer whose id is known and whose rest is invalid.
pub(super) fn malformed(line: &[u8], why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Reason::MalformedAnswer, format!("{why}: {}", excerpt(line)))
}

/// The failure of a game in which the bot has caught an exception, as it reports it. Its process goes on.
pub(super) fn reported(error: &str) -> Failure {
    let error = error.trim();
    Failure::new(
        Reason::Crash,
        if error.is_empty() { "it reports an error without a text" } else { error },
    )
}

/// The error of the parser without the position: the line is short and shown.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
