//! The document `dicehill.bench/1`, described in `protocol/formats.md`.

use std::io;

use dicehill_arena::{
    Distribution, FigureSummary, Hill, Interval, Luck, PROGRAM, ResultDocument, Standing,
    printable_json, six_digits,
};
use serde::Serialize;

use super::benchmark::{Benchmark, Metric};
use super::signature::SigningKey;
use super::signed_line::signed;
use crate::failure::Failure;
use crate::games::TerminalGame;

/// The result of a benchmark.
#[derive(Serialize)]
pub(super) struct BenchDocument {
    schema: &'static str,
    program: &'static str,
    benchmark: &'static str,
    game: &'static str,
    rules: String,
    pub(super) bot: Player,
    pub(super) opponents: Vec<Player>,
    frozen: &'static str,
    pub(super) seed: String,
    pub(super) games: u64,
    pub(super) metric: &'static str,
    #[serde(flatten)]
    pub(super) estimate: Estimate,
    /// Without luck adjustment; `None` if the metric has none.
    pub(super) plain: Option<Estimate>,
    pub(super) barred: Option<String>,
    records: String,
}

/// An entrant.
#[derive(Serialize)]
pub(super) struct Player {
    pub(super) name: String,
    hash: String,
}

/// An estimate with its 95 % interval; `None` without games that count.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Estimate {
    pub(super) value: Option<f64>,
    pub(super) ci95: Option<[f64; 2]>,
}

impl Estimate {
    fn new(value: Option<f64>, interval: Option<Interval>) -> Self {
        let bounds = interval.map(|interval| [interval.low, interval.high].map(six_digits));
        Self { value: value.map(six_digits), ci95: bounds }
    }
}

impl BenchDocument {
    /// The result of the last entrant of the hill.
    pub(super) fn new<G: TerminalGame>(
        benchmark: &Benchmark,
        hill: &Hill<G>,
        result: &ResultDocument,
    ) -> Self {
        let mut players: Vec<_> = hill
            .entrants()
            .iter()
            .map(|entrant| Player {
                name: entrant.name.to_string(),
                hash: entrant.program.identity(),
            })
            .collect();
        let bot = players.pop().expect("the bot is the last entrant");
        let row = result.standings.iter().find(|row| row.bot == bot.name);
        let row = row.expect("every entrant has a row");
        let (estimate, plain) = estimates(benchmark.metric, row);
        Self {
            schema: "dicehill.bench/1",
            program: PROGRAM,
            benchmark: benchmark.name,
            game: G::NAME,
            rules: hill.rules().to_string(),
            bot,
            opponents: players,
            frozen: benchmark.frozen,
            seed: hill.seed().to_owned(),
            games: row.games,
            metric: benchmark.metric.name(),
            estimate,
            plain,
            barred: row.barred.as_ref().map(|bar| format!("{}: {}", bar.reason, bar.detail)),
            records: result.records.clone(),
        }
    }

    /// The document as one line with its hash and, with a key, its signature.
    pub(super) fn line(&self, key: Option<&SigningKey>) -> Result<String, Failure> {
        signed(&printable_json(self).map_err(io::Error::other)?, key)
    }
}

/// The metric and, if that is luck-adjusted, the plain figure.
fn estimates(metric: Metric, row: &Standing) -> (Estimate, Option<Estimate>) {
    let luck = row.luck.as_ref().filter(|_| row.barred.is_none());
    match metric {
        Metric::Score => {
            let score = row.figures.iter().find_map(|(_, figure)| match figure {
                FigureSummary::Distribution(score) => score.as_ref(),
                FigureSummary::Total(_) => None,
            });
            let plain = Estimate::new(
                score.map(|score| score.mean),
                score.and_then(Distribution::interval),
            );
            let adjusted = Estimate::new(
                luck.and_then(|luck| luck.score),
                luck.and_then(Luck::score_interval),
            );
            (adjusted, Some(plain))
        }
        Metric::Points => {
            // A game that is won, alone or with others, is a point. Near 0 and 1 its interval is the honest one.
            let plain = Estimate::new(row.win_rate, row.win_rate_ci95);
            let points = luck.and_then(|luck| luck.points.as_ref());
            let adjusted =
                points.map(|one| Estimate::new(Some(one.adjusted), Some(one.adjusted_ci95)));
            (adjusted.unwrap_or(plain), Some(plain))
        }
        Metric::WinRate => (Estimate::new(row.win_rate, row.win_rate_ci95), None),
    }
}
