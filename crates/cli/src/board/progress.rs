//! The results of bots over the runs of a hill.

use std::io::Write;

use dicehill_arena::{Interval, Standing, six_digits};

use super::cells::{optional, plus_minus, rate_with_interval};
use super::luck::LOSS;
use crate::args::TableFormat;
use crate::layout::{Column, Form, Printer, Table};
use crate::text::{STRONG, date, elo, spreadsheet_cell, styled};

/// The columns of the CSV.
#[rustfmt::skip]
const HEADINGS: [&str; 18] = [
    "bot", "run", "begun", "version", "rank", "among", "games", "win_rate", "win_rate_low", "win_rate_high",
    "elo", "elo_low", "elo_high", "loss", "loss_se", "loss_low",
    "loss_high", "barred_reason",
];

/// The explanation of the mean losses.
const MEAN: &str = "Each external bot counts with its latest result; without external bots, each bot does. The interval is the mean of \
                    the bots' intervals, because their games may share dice.";

/// The result of a bot in a run.
pub(crate) struct RunOfBot {
    pub(crate) run: i64,
    /// When the run began, in seconds since 1970.
    pub(crate) begun: i64,
    /// The version of the bot, if it is known.
    pub(crate) version: Option<i64>,
    /// The number of entrants of the run.
    pub(crate) among: usize,
    pub(crate) standing: Standing,
}

impl RunOfBot {
    /// The loss per game with its 95 % interval.
    pub(crate) fn loss(&self) -> Option<(f64, Option<Interval>)> {
        let luck = self.standing.luck.as_ref()?;
        Some((luck.loss?, luck.loss_interval()))
    }

    /// `2 of 5`, or the reason for which it is barred.
    fn rank(&self) -> String {
        match (self.standing.rank, &self.standing.barred) {
            (Some(rank), _) => format!("{rank} of {}", self.among),
            (None, Some(bar)) => format!("barred: {}", bar.reason),
            (None, None) => "-".to_owned(),
        }
    }
}

/// The mean loss of several bots after a run.
pub(crate) struct MeanLoss {
    run: i64,
    begun: i64,
    bots: usize,
    mean: f64,
    /// The mean of their intervals, which is at least as wide as that of the mean; `None` if one is unknown.
    interval: Option<Interval>,
}

impl MeanLoss {
    /// The mean of losses with their intervals; `None` of no loss.
    pub(crate) fn of(run: &RunOfBot, losses: &[(f64, Option<Interval>)]) -> Option<Self> {
        let bots = losses.len();
        let mean = losses.iter().map(|(loss, _)| loss).sum::<f64>() / bots as f64;
        let bound = |of: fn(Interval) -> f64| {
            let sum: Option<f64> = losses.iter().map(|(_, interval)| interval.map(of)).sum();
            sum.map(|sum| sum / bots as f64)
        };
        let bounds = bound(|interval| interval.low).zip(bound(|interval| interval.high));
        let interval = bounds.map(|(low, high)| Interval { low, high });
        (bots > 0).then_some(Self { run: run.run, begun: run.begun, bots, mean, interval })
    }
}

/// Writes the tables. The CSV has the first of them, from which the other follows.
pub(crate) fn write_progress<W: Write>(
    out: &mut Printer<W>,
    rows: &[RunOfBot],
    means: &[MeanLoss],
    format: TableFormat,
) -> std::io::Result<()> {
    let form = match format {
        TableFormat::Csv => return write_csv(out.verbatim(), rows),
        TableFormat::Table => Form::Text,
        TableFormat::Markdown => Form::Markdown,
    };
    table(rows).write(out, form)?;
    if means.iter().all(|mean| mean.bots < 2) {
        return Ok(());
    }
    match form {
        Form::Text => writeln!(out, "\n{}", styled(STRONG, "Mean loss after each run"))?,
        Form::Markdown => writeln!(out.verbatim(), "\n**Mean loss after each run**\n")?,
    }
    table_of_means(means).write(out, form)?;
    form.line(out, MEAN)
}

fn table(rows: &[RunOfBot]) -> Table {
    let mut columns = vec![
        Column::name("bot"),
        Column::number("run"),
        Column::name("begun").priority(3),
        Column::number("version").priority(2),
        Column::name("rank"),
        Column::number("win % (95 % CI)").priority(1),
        Column::number("Elo ± 95 %"),
    ];
    let has_loss = rows.iter().any(|row| row.loss().is_some());
    if has_loss {
        columns.push(Column::number(LOSS));
    }
    let cells = |row: &RunOfBot| {
        let RunOfBot { run, begun, version, standing, .. } = row;
        let mut cells = vec![
            standing.bot.clone(),
            run.to_string(),
            day(*begun),
            version.map_or("-".to_owned(), |version| version.to_string()),
            row.rank(),
            rate_with_interval(standing.win_rate, standing.win_rate_ci95),
            elo(standing.elo),
        ];
        if has_loss {
            let loss = row.loss().map(|(loss, interval)| plus_minus(loss, interval));
            cells.push(loss.unwrap_or_else(|| "-".to_owned()));
        }
        cells
    };
    Table { columns, rows: rows.iter().map(cells).collect(), complete: "--format csv" }
}

fn table_of_means(means: &[MeanLoss]) -> Table {
    let columns = vec![
        Column::number("run"),
        Column::name("begun"),
        Column::number("bots"),
        Column::number("mean loss/game ± 95 %"),
    ];
    let cells = |MeanLoss { run, begun, bots, mean, interval }: &MeanLoss| {
        vec![run.to_string(), day(*begun), bots.to_string(), plus_minus(*mean, *interval)]
    };
    Table { columns, rows: means.iter().map(cells).collect(), complete: "--format csv" }
}

/// The day of a time, in UTC.
fn day(seconds: i64) -> String {
    date(seconds).chars().take("2026-01-01".len()).collect()
}

fn write_csv(out: &mut impl Write, rows: &[RunOfBot]) -> std::io::Result<()> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(HEADINGS).map_err(std::io::Error::other)?;
    for row in rows {
        csv.write_record(csv_record(row)).map_err(std::io::Error::other)?;
    }
    out.write_all(&csv.into_inner().map_err(std::io::Error::other)?)
}

fn csv_record(row: &RunOfBot) -> [String; HEADINGS.len()] {
    let RunOfBot { run, begun, version, among, standing } = row;
    let rate = standing.win_rate_ci95;
    let bounds = standing.elo.and_then(|elo| elo.ci95);
    let (loss, interval) = row.loss().unzip();
    let interval = interval.flatten();
    let error = standing.luck.as_ref().and_then(|luck| luck.se);
    [
        spreadsheet_cell(&standing.bot),
        run.to_string(),
        date(*begun),
        optional(*version),
        optional(standing.rank),
        among.to_string(),
        standing.games.to_string(),
        optional(standing.win_rate.map(six_digits)),
        optional(rate.map(|rate| six_digits(rate.low))),
        optional(rate.map(|rate| six_digits(rate.high))),
        optional(standing.elo.and_then(|elo| elo.value).map(six_digits)),
        optional(bounds.and_then(|bounds| bounds.low).map(six_digits)),
        optional(bounds.and_then(|bounds| bounds.high).map(six_digits)),
        optional(loss.map(six_digits)),
        optional(error.map(six_digits)),
        optional(interval.map(|interval| six_digits(interval.low))),
        optional(interval.map(|interval| six_digits(interval.high))),
        optional(standing.barred.as_ref().map(|bar| &bar.reason)),
    ]
}
