//! Texts for people: numbers, dice, and what came from outside made harmless.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use dicehill_rules::Face;
use unicode_width::UnicodeWidthStr;

/// For what matters most on a line.
pub(crate) const STRONG: Style = Style::new().bold();
/// For what matters least.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// For what went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// For what went wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// The text in a style; whoever prints it drops the style where nobody can see it.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Tells the person something on stderr; whoever has closed or filled it does not want to know.
pub(crate) fn tell(line: impl std::fmt::Display) {
    let _unread = writeln!(anstream::stderr(), "{line}");
}

/// The names, padded to the same width on a terminal.
pub(crate) fn aligned(names: &[&str]) -> Vec<String> {
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    names.iter().map(|name| format!("{name}{}", " ".repeat(widest - name.width()))).collect()
}

/// An error as it is printed.
pub(crate) fn error(failure: &impl std::fmt::Display) -> String {
    format!("{} {}", styled(BAD, "error:"), printable(&failure.to_string()))
}

/// The text with control characters and those that hide or turn text written out, so that it can
/// neither steer a terminal nor look like another text.
pub(crate) fn printable(text: &str) -> String {
    let quoting = |c: char| matches!(c, '\\' | '"' | '\'');
    let escape = |piece: &str| {
        let plain = piece.trim_end_matches(quoting);
        format!("{}{}", plain.escape_debug(), &piece[plain.len()..])
    };
    text.split_inclusive(quoting).map(escape).collect()
}

/// The name as that of a file: names may hold what a path may not.
pub(crate) fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let plain: String = name.chars().map(plain).collect();
    match plain.trim_start_matches('.') {
        "" => "_".to_owned(),
        plain => plain.to_owned(),
    }
}

/// The number with a comma between thousands.
pub(crate) fn thousands(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let comma = |index: usize| index > 0 && (digits.len() - index).is_multiple_of(3);
    let with_comma = |(index, digit)| if comma(index) { vec![',', digit] } else { vec![digit] };
    digits.chars().enumerate().flat_map(with_comma).collect()
}

/// The number and the noun, in the plural where there is not exactly one.
pub(crate) fn counted(number: impl Into<u128>, noun: &str) -> String {
    let number = number.into();
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// The person's name at a table.
pub(crate) const YOU: &str = "you";

/// Who does it: `you bid`, `pirate bids`.
pub(crate) fn does(name: &str, verb: &str) -> String {
    format!("{name} {verb}{}", if name == YOU { "" } else { "s" })
}

/// The face as a picture of a die and its number: `⚂3`.
pub(crate) fn die(face: Face) -> String {
    let picture = char::from_u32(0x267f + u32::from(face.pips())).expect("the six dice");
    format!("{picture}{face}")
}

/// Several dice, with blanks between them.
pub(crate) fn dice(faces: &[Face]) -> String {
    faces.iter().map(|face| die(*face)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(thousands(0u64), "0");
        assert_eq!(thousands(999u64), "999");
        assert_eq!(thousands(1_000u64), "1,000");
        assert_eq!(thousands(12_345_678u64), "12,345,678");
        assert_eq!(counted(1u64, "game"), "1 game");
    }

    #[test]
    fn every_name_makes_a_file_name() {
        for (name, file) in [("a", "a"), ("../a b", "_a_b"), ("..", "_"), ("Ärger|", "Ärger_")] {
            assert_eq!(file_name(name), file);
        }
    }

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(printable("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(printable("\u{202e}a\u{200b}"), "\\u{202e}a\\u{200b}");
        assert_eq!(printable("two\nlines"), "two\\nlines");
    }

    #[test]
    fn what_can_be_seen_stays() {
        for text in ["", "C:\\x", "it's \"so\"", "Ärger ⚂ नमस्ते"] {
            assert_eq!(printable(text), text);
        }
    }
}
