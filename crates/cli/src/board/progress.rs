//! The results of bots over the runs of a hill.

use std::io::Write;

use dicehill_arena::{Interval, Standing, six_digits};

use super::cells::{mean_with_error, optional, plus_minus, rate_with_interval};
use super::luck::LOSS;
use crate::args::TableFormat;
use crate::layout::{Column, Form, Printer, Table};
use crate::text::{STRONG, date, elo, spreadsheet_cell, styled};

/// The columns of the CSV.
#[rustfmt::skip]
const HEADINGS: [&str; 16] = [
    "bot", "run", "begun", "version", "rank", "among", "games", "win_rate", "win_rate_low", "win_rate_high",
    "elo", "elo_low", "elo_high", "loss", "loss_se", "barred_reason",
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
    /// The loss per game with its standard error.
    pub(crate) fn loss(&self) -> Option<(f64, Option<f64>)> {
        let luck = self.standing.luck.as_ref()?;
        Some((luck.loss?, luck.se))
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
    /// The mean of their standard errors, which is at least that of the mean; `None` if one is unknown.
    error: Option<f64>,
}

impl MeanLoss {
    /// The mean of losses with their standard errors; `None` of no loss.
    pub(crate) fn of(
        run: &RunOfBot,
        losses: impl Iterator<Item = (f64, Option<f64>)> + Clone,
    ) -> Option<Self> {
        let bots = losses.clone().count();
        let mean = losses.clone().map(|(loss, _)| loss).sum::<f64>() / bots as f64;
        let errors: Option<f64> = losses.map(|(_, error)| error).sum();
        let error = errors.map(|sum| sum / bots as f64);
        (bots > 0).then_some(Self { run: run.run, begun: run.begun, bots, mean, error })
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
            let loss = row.loss().map(|(loss, error)| mean_with_error(loss, error));
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
    let cells = |MeanLoss { run, begun, bots, mean, error }: &MeanLoss| {
        let interval = error.map(|error| Interval::from_standard_error(*mean, error));
        vec![run.to_string(), day(*begun), bots.to_string(), plus_minus(*mean, interval)]
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
    let (loss, error) = row.loss().unzip();
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
        optional(error.flatten().map(six_digits)),
        optional(standing.barred.as_ref().map(|bar| &bar.reason)),
    ]
}
