//! Escapes untrusted text, so that it is safe to print.

use serde::Serialize;

/// Whether a character is allowed in a name or another text of a hill: it is assigned and visible, and not a control
/// character, a change of text direction or a line separator.
#[must_use]
pub fn is_printable(character: char) -> bool {
    // Characters without a glyph that the standard library considers printable.
    let invisible = matches!(
        character,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..='\u{10ffff}'
    );
    character == ' ' || character.is_ascii_graphic() || (!invisible && has_a_glyph(character))
}

/// Whether the standard library prints the character unescaped after a letter: its tables exclude control and format
/// characters, separators and unassigned ones.
fn has_a_glyph(character: char) -> bool {
    let after_a_letter: String = ['a', character].into_iter().collect();
    after_a_letter.escape_debug().eq(after_a_letter.chars())
}

/// Whether the character is a combining mark, which joins the character before it.
pub(crate) fn is_joined(character: char) -> bool {
    !character.is_ascii() && is_printable(character) && character.escape_debug().count() > 1
}

/// Escapes everything that is not [printable](is_printable), so that the text can neither control a terminal nor
/// imitate another text. A newline becomes `\n`. Printable characters, backslashes included, stay as they are.
///
/// ```
/// use dicehill_arena::printable;
/// assert_eq!(printable("a\u{1b}[2J\u{9b}2J\u{202e}b\n"), r"a\u{1b}[2J\u{9b}2J\u{202e}b\n");
/// assert_eq!(printable(r"C:\x is 'Ärger'"), r"C:\x is 'Ärger'");
/// ```
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // A leading mark would join the text before this one.
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

/// Writes a value as JSON on one line, and escapes everything that is not [printable](is_printable). Parsing it gives
/// the same texts.
///
/// # Errors
/// If the value cannot be written as JSON.
pub fn printable_json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escape_json(&serde_json::to_string(value)?))
}

/// Escapes JSON text as [`printable_json`] does.
#[must_use]
pub fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            // Inside a string JSON already escapes these.
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

/// The number with a comma between thousands, as in all messages.
///
/// ```
/// assert_eq!(dicehill_arena::thousands(1_234_567_u32), "1,234,567");
/// ```
#[must_use]
pub fn thousands(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let comma = |index: usize| index > 0 && (digits.len() - index).is_multiple_of(3);
    let with_comma = |(index, digit)| if comma(index) { vec![',', digit] } else { vec![digit] };
    digits.chars().enumerate().flat_map(with_comma).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_not_printable() {
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
    fn visible_characters_are_not_escaped() {
        for text in ["", "C:\\x", "it's \"so\"", "Ärger ⚂ नमस्ते", "e\u{301}", "😀 日本語"]
        {
            assert_eq!(printable(text), text);
            let json = serde_json::to_string(text).expect("a text");
            assert_eq!(printable_json(&text).expect("a text"), json);
        }
    }

    #[test]
    fn marks_that_would_join_another_text_are_escaped() {
        assert_eq!(printable("\u{301}x '\u{301}"), "\\u{301}x '\\u{301}");
    }
}
