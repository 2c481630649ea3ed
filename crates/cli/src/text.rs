//! Texts for people: numbers, dice, styles, and escapes for text from elsewhere.

use anstyle::{AnsiColor, Style};
use dicehill_arena::{Bounds, EloRating, Interval, Reason};
pub(crate) use dicehill_arena::{printable, thousands};
use dicehill_rules::Face;
use dicehill_store::without_os_error;
use unicode_width::UnicodeWidthStr;

/// The style of what matters most on a line.
pub(crate) const STRONG: Style = Style::new().bold();
/// The style of what matters least.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The style of success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// The style of failure.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// The most characters of an error that are printed, as it may quote a line of a file.
const MAX_ERROR_LENGTH: usize = 10_000;

/// The text in a style. The output drops the style where it is not shown.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The names, padded to the same width on a terminal.
pub(crate) fn aligned(names: &[&str]) -> Vec<String> {
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    names.iter().map(|name| format!("{name}{}", " ".repeat(widest - name.width()))).collect()
}

/// An error as it is printed. Its further lines, such as those of a compiler, are indented, so that none can be taken for a
/// message of this program.
pub(crate) fn error(failure: &impl std::fmt::Display) -> String {
    let text = without_os_error(&failure.to_string());
    let lines: Vec<_> = text.trim_end().split('\n').map(printable).collect();
    let text = lines.join("\n    ");
    let end = text.char_indices().nth(MAX_ERROR_LENGTH);
    let (text, dots) = end.map_or((text.as_str(), ""), |(end, _)| (&text[..end], "..."));
    format!("{} {text}{dots}", styled(BAD, "error:"))
}

/// The text as Markdown shows it literally: neither markup, HTML or an image, nor the link that
/// GitHub makes of an address. (It links e-mail addresses however they are written.)
pub(crate) fn escape_markdown(text: &str) -> String {
    let text = printable(text);
    let escape = |(index, c): (usize, char)| {
        let (before, rest) = text.split_at(index);
        let begun = before.trim_start();
        let is_special = match c {
            '<' => return "&lt;".to_owned(),
            '>' => return "&gt;".to_owned(),
            '&' => return "&amp;".to_owned(),
            '\\' | '`' | '*' | '_' | '~' | '|' | '[' | ']' | '#' | '$' | '!' => true,
            ':' => rest.starts_with("://"),
            // A list item, or the underline of the line before.
            '-' | '+' | '=' => begun.is_empty(),
            '.' | ')' => {
                let is_number = !begun.is_empty() && begun.bytes().all(|b| b.is_ascii_digit());
                is_number || begun.to_ascii_lowercase().ends_with("www")
            }
            _ => false,
        };
        if is_special { format!("\\{c}") } else { c.to_string() }
    };
    text.char_indices().map(escape).collect()
}

/// The text for a cell of a spreadsheet, with an apostrophe before what would be a formula.
pub(crate) fn spreadsheet_cell(text: &str) -> String {
    let text = printable(text);
    let begins_formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if begins_formula { format!("'{text}") } else { text }
}

/// The number with so many decimals, and a comma between thousands.
pub(crate) fn with_commas(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if is_zero { "" } else { sign };
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = whole.parse::<u128>().map_or_else(|_| whole.to_owned(), thousands);
    format!("{sign}{whole}{rest}")
}

/// The number and the noun, in the plural where there is not exactly one.
pub(crate) fn counted(number: impl Into<u128>, noun: &str) -> String {
    let number = number.into();
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// An Elo rating with half the width of its 95 % interval, which may be unknown, or its one bound.
pub(crate) fn elo(rating: Option<EloRating>) -> String {
    let Some(EloRating { value, ci95 }) = rating else { return "-".to_owned() };
    let (low, high) = ci95.map_or((None, None), |Bounds { low, high }| (low, high));
    match (value, low, high) {
        (Some(value), Some(low), Some(high)) => {
            let half = Interval { low, high }.half_width();
            format!("{value:+.0} ± {half:.0}")
        }
        (Some(value), ..) => format!("{value:+.0} ± ?"),
        (None, Some(low), _) => format!("> {low:+.0}"),
        (None, None, Some(high)) => format!("< {high:+.0}"),
        (None, None, None) => "-".to_owned(),
    }
}

/// Seconds since 1970 as a date and time, in UTC. The file may have any
/// number: one that is no date is shown as the nearest one.
pub(crate) fn date(seconds: i64) -> String {
    /// The last second of the year 9999.
    const LAST: i64 = 253_402_300_799;
    let since = std::time::Duration::from_secs(seconds.clamp(0, LAST).unsigned_abs());
    humantime::format_rfc3339_seconds(std::time::UNIX_EPOCH + since).to_string()
}

/// The person's name at a table.
pub(crate) const YOU: &str = "you";

/// The remark on a run whose header has no hash over itself.
pub(crate) const NO_HEADER_HASH: &str = "it has no hash of its own (header_hash), because the log is older or it was removed: header fields on which no game depends, such as the number of games, are unchecked";

/// The subject with its verb: `you bid`, `pirate bids`.
pub(crate) fn does(name: &str, verb: &str) -> String {
    format!("{name} {verb}{}", if name == YOU { "" } else { "s" })
}

/// The face as a picture of a die and its number: `⚂3`.
pub(crate) fn die(face: Face) -> String {
    let picture = char::from_u32(0x267f + u32::from(face.pips())).expect("the six dice");
    format!("{picture}{face}")
}

/// Several dice, separated by spaces.
pub(crate) fn dice(faces: &[Face]) -> String {
    faces.iter().map(|face| die(*face)).collect::<Vec<_>>().join(" ")
}

/// The pips of several dice, separated by spaces: `3 5 5`.
pub(crate) fn pips(faces: &[Face]) -> String {
    faces.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Whether an entrant was not barred for an offence, but had no connection.
pub(crate) fn is_absent(reason: &str) -> bool {
    reason == Reason::Absent.name()
}

/// Where an entrant was barred: `game 17`, or the qualification for game 0.
pub(crate) fn bar_place(game: u64) -> String {
    match game {
        0 => "the qualification".to_owned(),
        game => format!("game {game}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_has_half_its_interval_or_its_one_bound() {
        let check = |value, low, high, expected: &str| {
            let ci95 = Some(Bounds { low, high });
            assert_eq!(elo(Some(EloRating { value, ci95 })), expected);
        };
        check(Some(141.4), Some(130.0), Some(158.0), "+141 ± 14");
        check(None, None, Some(-640.2), "< -640");
        check(None, Some(103.0), None, "> +103");
        assert_eq!(elo(Some(EloRating { value: Some(-0.6), ci95: None })), "-1 ± ?");
        assert_eq!(elo(None), "-");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(thousands(0u64), "0");
        assert_eq!(thousands(999u64), "999");
        assert_eq!(thousands(1_000u64), "1,000");
        assert_eq!(thousands(12_345_678u64), "12,345,678");
        assert_eq!(counted(1u64, "game"), "1 game");
    }

    #[test]
    fn escaped_text_is_shown_literally() {
        for (text, escaped) in [
            ("a|b", "a\\|b"),
            ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
            ("[x](y) ![z](y)", "\\[x\\](y) \\!\\[z\\](y)"),
            ("`*_~#$\\", "\\`\\*\\_\\~\\#\\$\\\\"),
            ("at https://x.org, WWW.x.org", "at https\\://x.org, WWW\\.x.org"),
            ("  - x - y", "  \\- x - y"),
            ("1. x 2. y", "1\\. x 2. y"),
            ("=", "\\="),
            ("two\nlines", "two\\\\nlines"),
            ("3 : 2 (win % 1.5)", "3 : 2 (win % 1.5)"),
        ] {
            assert_eq!(escape_markdown(text), escaped);
        }
    }

    #[test]
    fn every_number_has_a_date() {
        for (seconds, text) in [
            (i64::MIN, "1970-01-01T00:00:00Z"),
            (1_772_366_400, "2026-03-01T12:00:00Z"),
            (253_402_300_800, "9999-12-31T23:59:59Z"),
            (i64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }

    #[test]
    fn no_cell_is_a_formula() {
        for text in ["=1", "+1", "-1", "@x", "＝1"] {
            assert_eq!(spreadsheet_cell(text), format!("'{text}"));
        }
        for text in ["", "a=1", "1+1", "'=1"] {
            assert_eq!(spreadsheet_cell(text), text);
        }
        assert_eq!(spreadsheet_cell("\t=1"), "\\t=1");
    }

    #[test]
    fn an_error_is_bounded() {
        assert!(error(&"x".repeat(1 << 20)).chars().count() < MAX_ERROR_LENGTH + 50);
    }
}
