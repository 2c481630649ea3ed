//! Breaks lines between words, by their width on a terminal.

use anstream::adapter::strip_str;
use serde::de::IgnoredAny;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of a text on a terminal. Styles have none.
pub(crate) fn columns(text: &str) -> usize {
    strip_str(text).to_string().width()
}

/// Breaks the text into lines of at most `width` columns, unless a word without commas is longer; lines after the first
/// have `indent` columns less.
pub(super) fn wrap(text: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for word in words(text).into_iter().flat_map(|word| pieces(word, width)) {
        let gap = word.len() - word.trim_start_matches(' ').len();
        let taken = columns(word);
        let room = if lines.len() > 1 { width.saturating_sub(indent) } else { width };
        match lines.last_mut() {
            Some(line) if used + taken <= room => {
                line.push_str(word);
                used += taken;
            }
            None => {
                lines.push(word.to_owned());
                used = taken;
            }
            Some(_) => {
                lines.push(word[gap..].to_owned());
                used = taken - gap;
            }
        }
    }
    lines
}

/// The word, after its commas broken into pieces if it is longer than a line: such as JSON that a bot logs.
fn pieces(word: &str, width: usize) -> impl Iterator<Item = &str> {
    let (long, short) = match columns(word) > width {
        true => (Some(word.split_inclusive(',')), None),
        false => (None, Some(word)),
    };
    long.into_iter().flatten().chain(short)
}

/// The parts within which a line is not broken, each with the spaces before it. A JSON object is broken after its commas
/// alone, so that it remains the same object if it is copied.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut begin = 0;
    let mut from = 0;
    while let Some(found) = text[from..].find([' ', '{']) {
        let at = from + found;
        from = at + 1;
        if text[at..].starts_with('{') {
            let Some(object) = json_object(&text[at..]) else { continue };
            from = at + object.len();
            for comma in commas(object) {
                words.push(&text[begin..=at + comma]);
                begin = at + comma + 1;
            }
            continue;
        }
        let before = &text[begin..at];
        let is_begun = before.contains(|c| c != ' ');
        if is_begun && !before.ends_with(' ') && !is_glued(before, &text[at + 1..]) {
            words.push(before);
            begin = at;
        }
    }
    words.push(&text[begin..]);
    words
}

/// The JSON object that a text begins with.
fn json_object(text: &str) -> Option<&str> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(&text[..values.byte_offset()])
}

/// Where JSON has commas outside of its texts.
fn commas(json: &str) -> impl Iterator<Item = usize> {
    let (mut is_text, mut is_escaped) = (false, false);
    json.bytes().enumerate().filter_map(move |(at, byte)| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            b'"' if !was_escaped => is_text = !is_text,
            b'\\' => is_escaped = !was_escaped,
            b',' if !is_text => return Some(at),
            _ => {}
        }
        None
    })
}

/// Whether two words must not be separated: a number and its unit or error, and an interval after its level.
fn is_glued(before: &str, after: &str) -> bool {
    after.starts_with(['%', '±']) || before.ends_with('±') || before.ends_with("(95 %")
}

/// The name, with an ellipsis if it does not fit. There is its end too, if there is room, so that `straight-shooter` and
/// `straight-shooter-2` remain different.
pub(super) fn shortened(name: &str, width: usize) -> String {
    const END: usize = 2;
    if name.width() <= width {
        return name.to_owned();
    }
    let end = if width < 6 * END { "" } else { last(name, END) };
    let room = width - end.width();
    let mut taken = 0;
    let fits = |c: &char| {
        taken += c.width().unwrap_or(0);
        taken < room
    };
    let begin: String = name.chars().take_while(fits).collect();
    format!("{}…{end}", begin.trim_end())
}

/// The end of the text that takes `width` columns at most.
fn last(text: &str, width: usize) -> &str {
    let fitting = text.char_indices().map(|(at, _)| &text[at..]).find(|end| end.width() <= width);
    fitting.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, width: usize, indent: usize, lines: &[&str]) {
        assert_eq!(wrap(text, width, indent), lines, "{width}");
    }

    #[test]
    fn lines_break_between_words() {
        check("", 10, 2, &[""]);
        check("one two three", 80, 2, &["one two three"]);
        check("one two three", 7, 2, &["one two", "three"]);
        check("one two six ten", 7, 4, &["one two", "six", "ten"]);
        check("  one  two", 7, 2, &["  one", "two"]);
        check("骰子 骰子 骰子", 9, 0, &["骰子 骰子", "骰子"]);
    }

    #[test]
    fn a_word_is_never_broken() {
        check("a blake3:0123456789 b", 8, 0, &["a", "blake3:0123456789", "b"]);
    }

    #[test]
    fn a_number_keeps_its_unit_and_its_error() {
        check("won 52.34 % (95 %: 51 to 53)", 12, 0, &["won 52.34 %", "(95 %: 51 to", "53)"]);
        check("lost 1.25 ± 0.50 points", 12, 0, &["lost", "1.25 ± 0.50", "points"]);
    }

    #[test]
    fn json_breaks_after_commas_outside_of_texts() {
        let request = r#"request: {"bids":["4 3, 1","a\", b"],"dice":[1,2,3,4,5]}"#;
        let lines = [r#"request: {"bids":["4 3, 1","#, r#""a\", b"],"dice":[1,2,3,"#, "4,5]}"];
        check(request, 27, 2, &lines);
        assert_eq!(lines.concat(), request);
        check(r#"{"a": 1, "b": 2} and more"#, 12, 0, &[r#"{"a": 1,"#, r#""b": 2} and"#, "more"]);
        check(r#"{"a":"one two"#, 8, 0, &[r#"{"a":"one"#, "two"]);
        // It was cut.
        check(r#"{"a":12,"b":[345,67…"#, 11, 0, &[r#"{"a":12,"#, r#""b":[345,"#, "67…"]);
    }

    #[test]
    fn styles_take_no_room() {
        let styled = "\u{1b}[1mone\u{1b}[0m \u{1b}[2mtwo";
        check(styled, 7, 0, &[styled]);
        assert_eq!(columns(styled), 7);
    }

    #[test]
    fn names_are_cut_at_whole_characters() {
        for (text, width, expected) in [
            ("greedy", 6, "greedy"),
            ("greedy", 5, "gree…"),
            ("骰子骰子", 8, "骰子骰子"),
            ("骰子骰子", 7, "骰子骰…"),
            ("骰子骰子", 6, "骰子…"),
            ("a name", 3, "a…"),
            ("straight-shooter", 12, "straight-…er"),
            ("straight-shooter-2", 12, "straight-…-2"),
            ("骰子骰子骰子骰子", 13, "骰子骰子骰…子"),
        ] {
            assert_eq!(shortened(text, width), expected);
            assert!(shortened(text, width).width() <= width);
        }
    }
}
