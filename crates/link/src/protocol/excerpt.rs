//! Excerpts of what a bot wrote, safe to display.

/// Characters of an excerpt.
const LENGTH: usize = 200;

/// The beginning of what a bot wrote: bounded, on one line, with everything escaped that a terminal
/// might obey.
///
/// ```
/// use dicehill_link::excerpt;
/// assert_eq!(excerpt(b"{\"id\":1}"), r#"{"id":1}"#);
/// assert_eq!(excerpt(b"\x1b[2J\xff"), r"\u{1b}[2J\u{fffd}");
/// assert_eq!(excerpt(&[b'x'; 300]).len(), 200 + "... (300 bytes)".len());
/// ```
#[must_use]
pub fn excerpt(bytes: &[u8]) -> String {
    // A character has at most four bytes, so that more is not decoded of a line that may be huge.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LENGTH)]);
    let mut shown: String = text.chars().take(LENGTH).map(show).collect();
    if text.chars().count() > LENGTH || bytes.len() > 4 * LENGTH {
        shown.push_str(&format!("... ({} bytes)", bytes.len()));
    }
    shown
}

fn show(character: char) -> String {
    if character == '\u{fffd}' || !dicehill_arena::is_printable(character) {
        character.escape_unicode().to_string()
    } else {
        character.to_string()
    }
}
