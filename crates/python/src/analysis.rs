//! What the decisions of recorded games cost.

use std::num::NonZero;

use dicehill_arena::ReadRecordError;
use dicehill_coach::{Analysis, AnalyzedGame, LineAppraiser, LineError, Report, RunAnalysis};
use dicehill_rules::with_game;
use dicehill_store::{RunSource, StoredGame, json_message};
use pyo3::prelude::*;

use crate::arguments::invalid;
use crate::recorded::{RecordedRun, Stopped};

/// What is analysed, and how.
struct Request {
    /// The run as commands name it.
    name: String,
    /// The bots whose decisions are appraised; all of the run without one.
    bot: Option<String>,
    jobs: NonZero<usize>,
}

/// The document `dicehill.analysis/1` of a run as JSON, whose commands name the run `name`. With `bot`, only its
/// decisions are appraised.
#[pyfunction]
pub(crate) fn analyze(
    py: Python<'_>,
    run: &RecordedRun,
    name: String,
    bot: Option<String>,
    jobs: usize,
) -> PyResult<String> {
    let jobs = NonZero::new(jobs).ok_or_else(|| invalid("jobs: 0 is not 1 or more"))?;
    let request = Request { name, bot, jobs };
    run.read(
        py,
        |source| with_game!(source.header().hill.game(), G => analyze_run::<G>(source, request)),
    )
}

fn analyze_run<G: AnalyzedGame>(source: &RunSource, request: Request) -> Result<String, Stopped> {
    let Request { name: run, bot, jobs } = request;
    let header = source.header();
    let terms = header.hill.bot_terms::<G>(source.path())?;
    let known: Vec<_> = header.bots.iter().map(|bot| bot.name.as_str().to_owned()).collect();
    let wanted = match bot {
        None => known.clone(),
        Some(bot) if known.contains(&bot) => vec![bot],
        Some(bot) => {
            let known = known.join(", ");
            return Err(Stopped(invalid(format!("bot: {bot:?} is not one of {known}"))));
        }
    };
    let appraiser = LineAppraiser::<G>::new(terms.rules, &header.seed, known, wanted.clone(), jobs);
    let bots = reports(source, &appraiser, wanted)?;
    if bots.is_empty() {
        return Err(source.error(None, "holds no game that counts").into());
    }
    let model = appraiser.into_model();
    Ok(RunAnalysis::<G> { run, rules: terms.rules, model, bots }.document().to_string())
}

/// A report on each of these bots that has a game which counts.
fn reports<G: AnalyzedGame>(
    source: &RunSource,
    appraiser: &LineAppraiser<G>,
    names: Vec<String>,
) -> Result<Vec<Report<G>>, Stopped> {
    let format = source.header().hill.terms.format;
    let mut analysis = Analysis::<G::Tally>::new(names).in_format(format);
    let mut batch = Vec::new();
    let mut appraise = |batch: &mut Vec<StoredGame>| -> Result<(), Stopped> {
        Python::attach(|py| py.check_signals().map_err(Stopped))?;
        let lines: Vec<_> = batch.iter().map(|game| game.line.as_str()).collect();
        for (game, appraised) in batch.iter().zip(appraiser.appraise(&lines)) {
            let appraised = appraised.map_err(|error| source.error(game.number, why(&error)))?;
            appraised.iter().for_each(|game| analysis.add(game));
        }
        batch.clear();
        Ok(())
    };
    source.each_game(|game| {
        batch.push(game);
        if batch.len() < appraiser.batch_len() { Ok(()) } else { appraise(&mut batch) }
    })?;
    appraise(&mut batch)?;
    Ok(analysis.reports())
}

fn why(error: &LineError) -> String {
    match error {
        LineError::Unreadable(ReadRecordError::Json(error)) => json_message(error),
        LineError::Unreadable(_) | LineError::Unnamed(_) => error.to_string(),
    }
}
