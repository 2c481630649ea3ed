//! What a board is made of: differences, encounters head to head, results by seat.

use std::io::Write;

use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle, presets};
use dicehill_arena::{Difference, HeadToHead, Interval, ResultDocument, SeatStanding, Standing};

use super::{luck, rate_with_interval, with_gaps};
use crate::text::{STRONG, escape_markdown, styled, thousands};

/// A table with its title.
struct Part {
    title: &'static str,
    headings: Vec<&'static str>,
    /// Columns of names, which stand first.
    names: usize,
    rows: Vec<Vec<String>>,
}

/// Writes the tables for a terminal.
pub(super) fn write_tables(out: &mut impl Write, result: &ResultDocument) -> std::io::Result<()> {
    for part in parts(result) {
        writeln!(out, "\n{}", styled(STRONG, part.title))?;
        writeln!(out, "{}", with_gaps(part.table(presets::NOTHING, str::to_owned)))?;
    }
    Ok(())
}

/// Writes the tables in Markdown.
pub(super) fn write_markdown(out: &mut impl Write, result: &ResultDocument) -> std::io::Result<()> {
    for part in parts(result) {
        writeln!(out, "\n**{}**\n", part.title)?;
        writeln!(out, "{}", part.table(presets::ASCII_MARKDOWN, escape_markdown))?;
    }
    Ok(())
}

/// The tables that have rows.
fn parts(result: &ResultDocument) -> Vec<Part> {
    let mut parts = vec![
        Part {
            title: "Differences between neighbours",
            headings: vec!["bot", "next", "points a game (95 %)"],
            names: 2,
            rows: result.differences.iter().map(difference).collect(),
        },
        Part {
            title: "Head to head",
            headings: vec!["bot", "other", "games", "ahead", "level", "behind", "ahead % (95 %)"],
            names: 2,
            rows: result.head_to_head.iter().map(head_to_head).collect(),
        },
        Part {
            title: "Scores without luck",
            headings: luck::SCORE_HEADINGS.into(),
            names: 1,
            rows: result.standings.iter().filter_map(luck::scores).collect(),
        },
        Part {
            title: "Points a game without luck",
            headings: luck::POINT_HEADINGS.into(),
            names: 1,
            rows: result.standings.iter().filter_map(luck::points).collect(),
        },
        Part {
            title: "By seat",
            headings: vec!["bot", "seat", "games", "wins", "points", "win % (95 %)"],
            names: 1,
            rows: result.standings.iter().flat_map(seats).collect(),
        },
    ];
    parts.retain(|part| !part.rows.is_empty());
    parts
}

fn difference(difference: &Difference) -> Vec<String> {
    let Difference { bot, next, points_per_game, ci95: Interval { low, high } } = difference;
    let points = format!("{points_per_game:+.3} ({low:+.3} to {high:+.3})");
    vec![bot.clone(), next.clone(), points]
}

fn head_to_head(pair: &HeadToHead) -> Vec<String> {
    let counts = [pair.games, pair.ahead, pair.level, pair.behind].map(thousands);
    let mut row = vec![pair.bot.clone(), pair.other.clone()];
    row.extend(counts);
    row.push(rate_with_interval(pair.rate, pair.rate_ci95));
    row
}

fn seats(row: &Standing) -> Vec<Vec<String>> {
    let one = |seat: &SeatStanding| {
        let counts = [seat.games, seat.wins, seat.points].map(thousands);
        let mut cells = vec![row.bot.clone(), seat.seat.to_string()];
        cells.extend(counts);
        cells.push(rate_with_interval(Some(seat.win_rate), seat.win_rate_ci95));
        cells
    };
    row.seats.iter().map(one).collect()
}

impl Part {
    /// Names are written by `escape`.
    fn table(&self, style: TableStyle, escape: fn(&str) -> String) -> Table {
        let mut table = Table::new();
        table.load_style(style);
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.headings);
        for row in &self.rows {
            let names = row[..self.names].iter().map(|name| escape(name));
            table.add_row(names.chain(row[self.names..].iter().cloned()));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            let left = index < self.names;
            column.set_cell_alignment(if left {
                CellAlignment::Left
            } else {
                CellAlignment::Right
            });
        }
        table
    }
}
