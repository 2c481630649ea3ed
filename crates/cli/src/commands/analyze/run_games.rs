//! The games of a run, appraised on several threads and summed up in order.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_coach::{Analysis, AnalyzedGame, LineAppraiser, LineError, Report};
use dicehill_store::{FileError, RunSource, StoredGame};

use crate::console::Console;
use crate::console::progress::ExportProgress;
use crate::failure::Failure;
use crate::recorded::why_unreadable;

/// The games of a run.
pub(super) struct RunGames<'a, G: AnalyzedGame> {
    source: &'a RunSource,
    appraiser: LineAppraiser<G>,
}

/// Why not all games were appraised.
enum Stopped {
    Interrupted,
    Damaged(FileError),
}

impl From<FileError> for Stopped {
    fn from(error: FileError) -> Self {
        Self::Damaged(error)
    }
}

impl<'a, G: AnalyzedGame> RunGames<'a, G> {
    /// The games of `source`, of which the decisions of the bots `wanted` are appraised.
    pub(super) fn new(
        source: &'a RunSource,
        rules: G::Rules,
        wanted: &[String],
        jobs: NonZero<usize>,
    ) -> Self {
        let header = source.header();
        let known = header.bots.iter().map(|bot| bot.name.as_str().to_owned());
        let wanted = wanted.iter().cloned();
        let appraiser = LineAppraiser::new(rules, &header.seed, known, wanted, jobs);
        Self { source, appraiser }
    }

    pub(super) fn into_model(self) -> G::Model {
        self.appraiser.into_model()
    }

    /// A report on each of these bots that has a game which counts; `None` if the user interrupts it.
    pub(super) fn analyze(
        &self,
        names: Vec<String>,
        stop: &AtomicBool,
        console: &Console,
    ) -> Result<Option<Vec<Report<G>>>, Failure> {
        let format = self.source.header().hill.terms.format;
        let mut analysis = Analysis::new(names).in_format(format);
        let mut progress = ExportProgress::new(self.source.count(), console);
        let mut batch = Vec::new();
        let done = self.source.each_game(|game| {
            progress.advance();
            batch.push(game);
            if batch.len() < self.appraiser.batch_len() {
                return Ok(());
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Stopped::Interrupted);
            }
            Ok(self.appraise(&mut batch, &mut analysis)?)
        });
        let done = done.and_then(|()| Ok(self.appraise(&mut batch, &mut analysis)?));
        progress.clear();
        match done {
            Ok(()) => Ok(Some(analysis.reports())),
            Err(Stopped::Interrupted) => Ok(None),
            Err(Stopped::Damaged(error)) => Err(error.into()),
        }
    }

    /// Appraises a batch of games, and sums them up in their order.
    fn appraise(
        &self,
        batch: &mut Vec<StoredGame>,
        analysis: &mut Analysis<G::Tally>,
    ) -> Result<(), FileError> {
        let lines: Vec<_> = batch.iter().map(|game| game.line.as_str()).collect();
        for (game, appraised) in batch.iter().zip(self.appraiser.appraise(&lines)) {
            let why = |error: LineError| match error {
                LineError::Unreadable(error) => why_unreadable(&error),
                LineError::Unnamed(_) => error.to_string(),
            };
            let appraised =
                appraised.map_err(|error| self.source.error(game.number, why(error)))?;
            if let Some(appraised) = appraised {
                analysis.add(&appraised);
            }
        }
        batch.clear();
        Ok(())
    }
}
