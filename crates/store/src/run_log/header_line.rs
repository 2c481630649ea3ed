//! The text of a header's line, and the hash in it.

use dicehill_arena::{Header, printable_json};
use serde::Serialize;

/// The version of the format.
pub(super) const SCHEMA: &str = "dicehill.log/1";
/// The last key of a header: the hash over the line without it.
pub(super) const HASH: &str = "header_hash";

#[derive(Serialize)]
struct HeaderLine<'a> {
    r#type: &'static str,
    schema: &'static str,
    #[serde(flatten)]
    header: &'a Header,
}

/// The line of a header, without the newline.
pub(crate) fn header_line(header: &Header) -> serde_json::Result<String> {
    header_text(header).map(|text| hashed(&text))
}

/// The line without its hash.
pub(super) fn header_text(header: &Header) -> serde_json::Result<String> {
    printable_json(&HeaderLine { r#type: "header", schema: SCHEMA, header })
}

/// The line with its hash as the last key.
pub(super) fn hashed(text: &str) -> String {
    hashed_as(HASH, text)
}

/// The line of an object with its hash as the last key, which is called `key`.
pub(crate) fn hashed_as(key: &str, text: &str) -> String {
    let open = text.strip_suffix('}').unwrap_or(text);
    format!("{open},\"{key}\":\"{}\"}}", hash_of(text))
}

/// The hash of a line without its hash.
pub(crate) fn hash_of(text: &str) -> String {
    format!("blake3:{}", blake3::hash(text.as_bytes()))
}

/// A header's line without its hash, and the hash; `None` if it has none.
pub(super) fn without_hash(line: &str) -> Option<(String, &str)> {
    without_hash_as(HASH, line)
}

/// The line of an object without its last key, its hash, which is called `key`, and that hash; `None` if it has none.
pub(crate) fn without_hash_as<'a>(key: &str, line: &'a str) -> Option<(String, &'a str)> {
    let (open, rest) = line.rsplit_once(&format!(",\"{key}\":\""))?;
    Some((format!("{open}}}"), rest.strip_suffix("\"}")?))
}
