//! Text from outside, made harmless to whoever looks at it.

use serde::Serialize;

/// Whether a character may stand in a name or another text of a hill: neither a control character, nor
/// one that is invisible, turns the direction of the text, ends a line, or means nothing.
#[must_use]
pub fn is_printable(character: char) -> bool {
    // Letters and marks without a glyph, which the standard library takes as printable.
    let invisible = matches!(
        character,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..='\u{10ffff}'
    );
    character == ' ' || character.is_ascii_graphic() || (!invisible && has_a_glyph(character))
}

/// Whether the standard library would print it within a text: it has the table of what is no control
/// or format character, no separator, and assigned.
fn has_a_glyph(character: char) -> bool {
    let behind_a_letter: String = ['a', character].into_iter().collect();
    behind_a_letter.escape_debug().eq(behind_a_letter.chars())
}

/// Whether it is a mark that joins the character before it.
pub(crate) fn is_joined(character: char) -> bool {
    !character.is_ascii() && is_printable(character) && character.escape_debug().count() > 1
}

/// The text with everything written out that is not [printable](is_printable), so that it can neither
/// steer a terminal nor look like another text; a newline is written as `\n`. What is printable
/// stays as it is, backslashes too.
///
/// ```
/// use dicehill_arena::printable;
/// assert_eq!(printable("a\u{1b}[2J\u{9b}2J\u{202e}b\n"), r"a\u{1b}[2J\u{9b}2J\u{202e}b\n");
/// assert_eq!(printable(r"C:\x is 'Ärger'"), r"C:\x is 'Ärger'");
/// ```
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // A mark would join what the text is put behind.
    let mut joins_another = true;
    for character in text.chars() {
        if !is_printable(character) || (joins_another && is_joined(character)) {
            match character {
                '\0' | '\t' | '\n' | '\r' => shown.extend(character.escape_debug()),
                _ => shown.extend(character.escape_unicode()),
            }
        } else {
            shown.push(character);
        }
        joins_another = matches!(character, ' ' | '"' | '\'' | '\\');
    }
    shown
}

/// The value as JSON on one line, in which everything is escaped that is not
/// [printable](is_printable). Whoever parses it gets the same texts.
///
/// # Errors
/// If the value cannot be written as JSON.
pub fn printable_json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escape_json(&serde_json::to_string(value)?))
}

/// The same JSON, as [`printable_json`] would write it.
#[must_use]
pub fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            // Within a text JSON itself has these escaped.
            '\n' => escaped.push('\n'),
            '\t' | '\r' => escaped.push(' '),
            _ if is_printable(character) => escaped.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    escaped.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_not_printable() {
        let ranges = ['\0'..='\u{1f}', '\u{7f}'..='\u{a0}', '\u{2000}'..='\u{200f}']
            .into_iter()
            .chain(['\u{2028}'..='\u{202f}', '\u{205f}'..='\u{206f}', '\u{fe00}'..='\u{fe0f}'])
            .chain(['\u{e0000}'..='\u{e0fff}', '\u{e000}'..='\u{e0ff}']);
        let single = "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{1680}\u{17b4}\u{180e}\u{2800}\u{3000}\
                      \u{3164}\u{feff}\u{ffa0}\u{fffd}\u{1d173}\u{1bca0}";
        for character in ranges.flatten().chain(single.chars()).filter(|c| *c != ' ') {
            assert!(!is_printable(character), "U+{:04X}", u32::from(character));
            let shown = printable(&format!("a{character}b"));
            assert!(shown.chars().all(is_printable), "{shown:?}");
            let json = printable_json(&character).expect("a text");
            assert!(json.chars().all(is_printable), "{json:?}");
            assert_eq!(serde_json::from_str::<char>(&json).expect("JSON"), character);
        }
    }

    #[test]
    fn what_can_be_seen_stays() {
        for text in ["", "C:\\x", "it's \"so\"", "Ärger ⚂ नमस्ते", "e\u{301}", "😀 日本語"]
        {
            assert_eq!(printable(text), text);
            let json = serde_json::to_string(text).expect("a text");
            assert_eq!(printable_json(&text).expect("a text"), json);
        }
    }

    #[test]
    fn marks_join_nothing_that_is_not_of_the_text() {
        assert_eq!(printable("\u{301}x '\u{301}"), "\\u{301}x '\\u{301}");
    }
}
