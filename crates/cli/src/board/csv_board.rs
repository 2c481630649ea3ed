//! A board as CSV, for spreadsheets.

use std::io::Write;

use dicehill_arena::{FigureSummary, ResultDocument, Standing, six_digits};

use super::cells::optional;
use super::luck;
use crate::text::spreadsheet_cell;

/// The columns that every game has.
#[rustfmt::skip]
const HEADINGS: [&str; 26] = [
    "game", "rank", "mark", "bot", "hash", "points", "votes", "total", "games", "wins", "win_rate",
    "win_rate_low", "win_rate_high", "rating", "rating_low", "rating_high", "elo",
    "elo_low", "elo_high", "best", "dependent",
    "barred_reason", "barred_game", "barred_detail", "author", "url",
];

/// Writes a heading and a line for each entrant.
pub(super) fn write(out: &mut impl Write, result: &ResultDocument) -> std::io::Result<()> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(headings(result)).map_err(std::io::Error::other)?;
    for row in &result.standings {
        csv.write_record(csv_record(result, row)).map_err(std::io::Error::other)?;
    }
    out.write_all(&csv.into_inner().map_err(std::io::Error::other)?)
}

fn headings(result: &ResultDocument) -> Vec<String> {
    let mut headings = HEADINGS.map(str::to_owned).to_vec();
    let figures = result.standings.first().map_or(&[][..], |row| row.figures.as_slice());
    headings.extend(figures.iter().flat_map(|(name, summary)| figure_headings(name, summary)));
    if result.start_value.is_some() {
        headings.extend(luck::CSV_HEADINGS.map(str::to_owned));
    }
    headings
}

fn csv_record(result: &ResultDocument, row: &Standing) -> Vec<String> {
    let bar = row.barred.as_ref();
    let interval = row.win_rate_ci95;
    let elo_bounds = row.elo.and_then(|elo| elo.ci95);
    let mut record = vec![
        result.terms.game.clone(),
        optional(row.rank),
        row.mark.clone(),
        spreadsheet_cell(&row.bot),
        row.hash.clone(),
        row.points.to_string(),
        optional(row.votes.map(|votes| votes.votes)),
        optional(row.votes.map(|votes| votes.total)),
        row.games.to_string(),
        row.wins.to_string(),
        optional(row.win_rate.map(six_digits)),
        optional(interval.map(|interval| six_digits(interval.low))),
        optional(interval.map(|interval| six_digits(interval.high))),
        optional(row.rating.map(six_digits)),
        optional(row.rating_ci95.map(|interval| six_digits(interval.low))),
        optional(row.rating_ci95.map(|interval| six_digits(interval.high))),
        optional(row.elo.and_then(|elo| elo.value).map(six_digits)),
        optional(elo_bounds.and_then(|bounds| bounds.low).map(six_digits)),
        optional(elo_bounds.and_then(|bounds| bounds.high).map(six_digits)),
        optional(row.best.map(six_digits)),
        result.dependent.to_string(),
        optional(bar.map(|bar| &bar.reason)),
        optional(bar.map(|bar| bar.game)),
        optional(bar.map(|bar| spreadsheet_cell(&bar.detail))),
        optional(row.author.as_deref().map(spreadsheet_cell)),
        optional(row.url.as_deref().map(spreadsheet_cell)),
    ];
    record.extend(row.figures.iter().flat_map(|(_, summary)| figure_values(summary)));
    record.extend(row.luck.iter().flat_map(luck::csv_values));
    record
}

fn figure_headings(name: &str, summary: &FigureSummary) -> Vec<String> {
    match summary {
        FigureSummary::Total(_) => vec![name.to_owned()],
        FigureSummary::Distribution(_) => {
            ["mean", "se", "low", "high", "sd", "min", "median", "max"]
                .map(|part| format!("{name}_{part}"))
                .into()
        }
    }
}

fn figure_values(summary: &FigureSummary) -> Vec<String> {
    match summary {
        FigureSummary::Total(total) => vec![total.to_string()],
        FigureSummary::Distribution(None) => vec![String::new(); 8],
        FigureSummary::Distribution(Some(figures)) => vec![
            six_digits(figures.mean).to_string(),
            optional(figures.se.map(six_digits)),
            optional(figures.interval().map(|interval| six_digits(interval.low))),
            optional(figures.interval().map(|interval| six_digits(interval.high))),
            optional(figures.sd.map(six_digits)),
            figures.min.to_string(),
            figures.median.to_string(),
            figures.max.to_string(),
        ],
    }
}
