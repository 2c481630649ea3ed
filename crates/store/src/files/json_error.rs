//! Errors of the JSON parser, reworded for single lines.

/// The parser's message with the column alone: the parser counts lines within the text that it is given, which is a single
/// line of a file here.
#[must_use]
pub fn json_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match message.strip_suffix(&place) {
        Some(what) => format!("{what}, in column {}", error.column()),
        None => message,
    }
}
