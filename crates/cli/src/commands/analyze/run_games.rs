//! The games of a run, appraised on several threads and summed up in order.

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use dicehill_arena::read_game_line;
use dicehill_coach::Analysis;
use dicehill_rules::Chance;
use dicehill_store::{FileError, RunSource, StoredGame};

use super::run_analysis::{AnalyzedGame, Appraised, Report};
use crate::console::Console;
use crate::console::progress::ExportProgress;
use crate::failure::Failure;
use crate::recorded::why_unreadable;

/// Games that a thread appraises at a time.
const CHUNK: usize = 64;

/// The games of a run.
pub(super) struct RunGames<'a, G: AnalyzedGame> {
    source: &'a RunSource,
    appraiser: LineAppraiser<G>,
    jobs: usize,
}

/// Appraises the lines of games.
struct LineAppraiser<G: AnalyzedGame> {
    rules: G::Rules,
    chance: Chance,
    model: G::Model,
    /// The bots that the header names.
    known: HashSet<String>,
    wanted: HashSet<String>,
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
        let appraiser = LineAppraiser {
            rules,
            chance: Chance::new(&header.seed),
            model: G::model(rules, jobs),
            known: header.bots.iter().map(|bot| bot.name.as_str().to_owned()).collect(),
            wanted: wanted.iter().cloned().collect(),
        };
        Self { source, appraiser, jobs: jobs.get() }
    }

    pub(super) fn into_model(self) -> G::Model {
        self.appraiser.model
    }

    /// A report on each of these bots that has a game which counts; `None` if the user interrupts it.
    pub(super) fn analyze(
        &self,
        names: Vec<String>,
        stop: &AtomicBool,
        console: &Console,
    ) -> Result<Option<Vec<Report<G>>>, Failure> {
        let mut analysis = Analysis::new(names);
        let mut progress = ExportProgress::new(self.source.count(), console);
        let mut batch = Vec::new();
        let done = self.source.each_game(|game| {
            progress.advance();
            batch.push(game);
            if batch.len() < self.jobs * CHUNK {
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
        let appraiser = &self.appraiser;
        let chunks: Vec<Vec<_>> = thread::scope(|scope| {
            let appraise = |chunk: &'_ [StoredGame]| -> Vec<_> {
                chunk.iter().map(|game| appraiser.appraise(&game.line)).collect()
            };
            let mut chunks = batch.chunks(CHUNK);
            let first = chunks.next().unwrap_or_default();
            let others: Vec<_> = chunks.map(|chunk| scope.spawn(move || appraise(chunk))).collect();
            let first = appraise(first);
            let joined = others.into_iter().map(|thread| thread.join().expect("no game panics"));
            std::iter::once(first).chain(joined).collect()
        });
        for (game, appraised) in batch.drain(..).zip(chunks.into_iter().flatten()) {
            let appraised = appraised.map_err(|why| self.source.error(game.number, why))?;
            if let Some(appraised) = appraised {
                analysis.add(&appraised);
            }
        }
        Ok(())
    }
}

impl<G: AnalyzedGame> LineAppraiser<G> {
    /// Appraises the game of this line; `None` if it is void.
    ///
    /// # Errors
    /// Says why the line is no game of the run.
    fn appraise(&self, line: &str) -> Result<Option<Appraised<G>>, String> {
        let replay = read_game_line::<G>(line, self.rules, &self.chance)
            .map_err(|error| why_unreadable(&error))?;
        if let Some(unnamed) = replay.names.iter().find(|name| !self.known.contains(*name)) {
            return Err(format!("bot {unnamed:?} plays, and the header does not name it"));
        }
        let wanted = |name: &str| self.wanted.contains(name);
        Ok(G::appraise(&self.model, self.rules, &replay, wanted))
    }
}
