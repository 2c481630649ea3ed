//! A run as a post in Markdown, for a forum or a chat.

use std::fmt::Write;

use crate::model::{BoardDocument, Estimate, RunState};
use crate::pages::numbers::chance;

/// The most bots in a post.
const MAX_ROWS: usize = 20;

/// The post of a run. `origin` is the URL by which readers reach the server.
pub(crate) fn post(board: &BoardDocument, origin: Option<&str>) -> String {
    let BoardDocument { hill, run, name, champion, champion_sure, placed, rows, .. } = board;
    let mut text = format!("## {}, run {run}\n\n", escape(name));
    let games = board.progress.games;
    match (champion, placed) {
        (_, Some(placed)) => writeln!(text, "{}. {games} games.", escape(&placed.sentence())),
        (Some(champion), None) => {
            let sure = champion_sure.map(|sure| format!(", P(best) {} %", chance(sure)));
            let sure = sure.unwrap_or_default();
            writeln!(text, "Champion: **{}**{sure}. {games} games.", escape(champion))
        }
        (None, None) if board.progress.state != RunState::Ended => {
            writeln!(text, "Not ended: {games} of {} games.", board.progress.of)
        }
        (None, None) => writeln!(text, "No champion. {games} games."),
    }
    .expect("writing to a String cannot fail");
    text.push_str("\n| # | bot | points | win % (95 % CI) |\n|--:|---|--:|--:|\n");
    for row in rows.iter().take(MAX_ROWS) {
        let rank = row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        let bot = escape(&row.bot);
        let remote = if row.remote { " (remote)" } else { "" };
        let barred = row.barred.as_ref().map(|why| format!(" ({})", escape(why)));
        let barred = barred.unwrap_or_default();
        let (points, rate) = (row.total.unwrap_or(row.points), rate(row.win_rate));
        writeln!(text, "| {rank} | {bot}{remote}{barred} | {points} | {rate} |")
            .expect("writing to a String cannot fail");
    }
    if rows.len() > MAX_ROWS {
        writeln!(text, "\nand {} more", rows.len() - MAX_ROWS)
            .expect("writing to a String cannot fail");
    }
    if let Some(origin) = origin {
        writeln!(text, "\n{origin}/hills/{hill}/runs/{run}")
            .expect("writing to a String cannot fail");
    }
    text
}

/// A share in percent with its interval.
fn rate(rate: Option<Estimate>) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    match rate {
        None => "–".to_owned(),
        Some(Estimate { value, ci95: None }) => percent(value),
        Some(Estimate { value, ci95: Some([low, high]) }) => {
            format!("{} ({}–{})", percent(value), percent(low), percent(high))
        }
    }
}

/// A text in which no character has a meaning in Markdown or HTML.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(if character.is_control() { ' ' } else { character });
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_markup() {
        assert_eq!(escape("a|b<i>*"), "a\\|b\\<i\\>\\*");
        assert_eq!(escape("two\nlines"), "two lines");
    }
}
