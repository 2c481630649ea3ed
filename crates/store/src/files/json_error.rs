//! Errors of the JSON parser, reworded for single lines.

/// The parser's message with the column and without the line. The parser gets a single line of a file, so that its own line
/// number is always 1.
#[must_use]
pub fn json_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match message.strip_suffix(&place) {
        Some(what) => format!("{what}, in column {}", error.column()),
        None => message,
    }
}
