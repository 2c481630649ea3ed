//! Numbers and lists as text.

use std::fmt::{Display, Write as _};

/// Appends a number. It is several times as fast as formatting, and every answer needs it.
pub(crate) fn push_number(text: &mut String, number: u64) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from_digit((number % 10) as u32, 10).unwrap_or_default());
}

/// Appends a text as JSON writes it.
pub(crate) fn push_quoted(to: &mut String, text: &str) {
    to.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => to.extend(['\\', character]),
            // Writing to a String cannot fail.
            control if control.is_control() => drop(write!(to, "\\u{:04x}", u32::from(control))),
            _ => to.push(character),
        }
    }
    to.push('"');
}

/// The items separated by spaces.
pub(crate) fn words(list: &[impl Display]) -> String {
    let mut words = String::new();
    for (index, item) in list.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(words, "{}{item}", if index == 0 { "" } else { " " });
    }
    words
}
