//! The text of a hill file: reading it, and the line of an error.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use dicehill_arena::LimitKey;
use serde::de::DeserializeOwned;

use crate::files::file_kind::{FileKind, hint_of_other_kind};
use crate::{FileError, did_you_mean};

/// The longest hill file, in bytes: room for some ten thousand bots.
const MAX_FILE_BYTES: u64 = 1 << 22;
/// The number of characters of a line that an error quotes.
const QUOTED: usize = 60;
/// Makes an error at a byte range of the text.
pub(super) type ErrorAt<'a> = dyn Fn(Range<usize>, String) -> FileError + 'a;

/// Terms of the parser, and the words for them in messages to authors of hill files.
const PLAIN_WORDS: [(&str, &str); 10] = [
    ("unknown field", "unknown key"),
    ("missing field", "missing key"),
    (" as i128", ""),
    ("expected i64", "expected a whole number"),
    ("expected a boolean", "expected true or false"),
    ("invalid boolean, expected `true`", NO_VALUE),
    ("invalid boolean, expected `false`", NO_VALUE),
    ("string values must be quoted, expected literal string", NO_VALUE),
    ("duplicate key", "this key is there twice"),
    ("expected a sequence", "expected a list"),
];

/// Keys of a hill that no bot has.
const HILL_KEYS: [&str; 8] =
    ["rules", "format", "seats", "challenger", "games", "seed", "open_seed", "memory"];

/// Quotation marks of typography, which word processors write.
const CURLY: [char; 6] = ['“', '”', '„', '‘', '’', '‚'];

const NO_VALUE: &str = "not a value: a number has digits alone, and a text quotation marks";

pub(super) fn read_text(path: &Path) -> Result<String, FileError> {
    let file = File::open(path).map_err(|error| FileError::not_opened(path, &error))?;
    let bytes = read_bounded(path, file)?;
    let hint = hint_of_other_kind(path, FileKind::HillFile);
    if hint.is_empty() { utf8_text(path, bytes) } else { Err(not_a_hill_file(path, &hint)) }
}

fn not_a_hill_file(path: &Path, hint: &str) -> FileError {
    FileError::new(path, format!("not a hill file{hint}"))
}

pub(super) fn utf8_text(path: &Path, bytes: Vec<u8>) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|error| {
        let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
        FileError::at_line(path, line, "not UTF-8 text, as hill files and bot.toml are")
    })
}

/// The file's bytes, up to [`MAX_FILE_BYTES`].
pub(super) fn read_bounded(path: &Path, file: File) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| FileError::new(path, error))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(FileError::new(
            path,
            format!("longer than {MAX_FILE_BYTES} bytes: not a hill file"),
        ));
    }
    Ok(bytes)
}

/// The line, from 1, of the byte at `offset`.
pub(super) fn line_of(text: &[u8], offset: usize) -> usize {
    1 + text[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// Parses TOML.
///
/// # Errors
/// If it is invalid; the message is for authors of hill files.
pub(super) fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, FileError> {
    toml::from_str(text).map_err(|error| parse_error(path, text, &error))
}

/// The suggestion for an unknown key, from the parser's "unknown field `gmae`, expected one of `name`, `game`".
fn similar_key(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match quoted.next() {
        Some(unknown)
            if unknown.parse::<LimitKey>().is_ok() && quoted.any(|key| key == "limits") =>
        {
            format!("; a limit is written as limits.{unknown} = ...")
        }
        Some(unknown) if HILL_KEYS.contains(&unknown) && quoted.any(|key| key == "house") => {
            "; it belongs to the hill: write it before the first [[bot]]".to_owned()
        }
        Some(unknown) if message.starts_with("unknown field") => did_you_mean(unknown, quoted),
        Some(_) | None => String::new(),
    }
}

/// The line without spaces around it and without the comment at its end.
fn without_comment(line: &str) -> &str {
    let mut is_text = false;
    let end = line.find(|c| {
        is_text ^= c == '"';
        c == '#' && !is_text
    });
    line[..end.unwrap_or(line.len())].trim()
}

/// What to write instead of a value that the parser does not know as one.
fn remedy_for_value(written: &str, message: &str) -> Option<&'static str> {
    let value = written.split_once('=').map_or("", |(_, value)| value.trim());
    let is_digit = |c: char| c.is_ascii_digit();
    if value.contains(CURLY) && !value.starts_with('"') {
        return Some("these quotation marks are not those of a keyboard: write \"...\"");
    }
    if value.starts_with(is_digit) && message.starts_with("unexpected key or value") {
        return Some(NO_VALUE);
    }
    let is_time = written.starts_with("opens") || written.starts_with("closes");
    let is_date = message.starts_with("invalid type: map");
    if value.starts_with(is_digit) && (is_time || is_date) {
        return Some("a time stands in quotation marks: \"2026-12-24 18:00 Europe/Berlin\"");
    }
    if message.starts_with("invalid type: integer") && message.ends_with("i64") {
        return Some("the number is too large");
    }
    let is_open = |mark: char| value.chars().filter(|c| *c == mark).count() % 2 == 1;
    if message.starts_with("invalid basic string") && is_open('"')
        || message.starts_with("invalid literal string") && is_open('\'')
    {
        return Some("the quotation mark at the end of the text is missing");
    }
    None
}

/// The parser's error, after the start of the line that it is about.
fn parse_error(path: &Path, text: &str, error: &toml::de::Error) -> FileError {
    let line = error.span().map(|span| line_of(text.as_bytes(), span.start));
    let written = line.and_then(|line| text.lines().nth(line - 1)).map_or("", without_comment);
    let mut message = error.message().trim().replace('\n', ", ");
    if written.starts_with("bot") || written.starts_with("[bot") {
        message = message.replace("expected a sequence", "expected [[bot]]");
    }
    if written == "[bot]" && message == "duplicate key" {
        message = "each bot has a table [[bot]]".to_owned();
    }
    if message.ends_with("expected a string") {
        message.push_str(" in quotation marks");
    }
    if let Some(remedy) = remedy_for_value(written, &message) {
        message = remedy.to_owned();
    }
    message.push_str(&similar_key(&message));
    for (technical, plain) in PLAIN_WORDS {
        message = message.replace(technical, plain);
    }
    let Some(line) = line else { return FileError::new(path, message) };
    if written.is_empty() {
        return FileError::at_line(path, line, message);
    }
    let quoted: String = written.chars().take(QUOTED).collect();
    let dots = if quoted.len() < written.len() { "..." } else { "" };
    FileError::at_line(path, line, format!("{quoted}{dots}: {message}"))
}
