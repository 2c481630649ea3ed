//! The games of a run, appraised on several threads and summed up in their order.

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use dicehill_arena::read_game_line;
use dicehill_coach::Analysis;
use dicehill_rules::{Chance, Game};
use dicehill_store::{FileError, RunSource, StoredGame};

use super::coach::{Appraised, Coach, Report};
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::ExportProgress;
use crate::replay::why_unreadable;

/// Games that a thread takes at a time.
const AT_A_TIME: usize = 64;

/// The rules by which a coach's game is played.
pub(super) type Rules<C> = <<C as Coach>::Game as Game>::Rules;

/// The games of a run.
pub(super) struct Games<'a, C: Coach> {
    source: &'a RunSource,
    reader: Reader<C>,
    jobs: usize,
}

/// What is needed to appraise a game's line.
struct Reader<C: Coach> {
    rules: Rules<C>,
    chance: Chance,
    coach: C,
    /// The bots that the header names.
    known: HashSet<String>,
    wanted: HashSet<String>,
}

/// Why games are not gone through to the end.
enum Stopped {
    Interrupted,
    Damaged(FileError),
}

impl From<FileError> for Stopped {
    fn from(error: FileError) -> Self {
        Self::Damaged(error)
    }
}

impl<'a, C: Coach> Games<'a, C> {
    /// The games of `source`, in which the decisions of some bots are wanted.
    pub(super) fn new(
        source: &'a RunSource,
        rules: Rules<C>,
        wanted: &[String],
        jobs: NonZero<usize>,
    ) -> Self {
        let header = source.header();
        let reader = Reader {
            rules,
            chance: Chance::new(&header.seed),
            coach: C::new(rules, jobs),
            known: header.bots.iter().map(|bot| bot.name.as_str().to_owned()).collect(),
            wanted: wanted.iter().cloned().collect(),
        };
        Self { source, reader, jobs: jobs.get() }
    }

    /// Who appraises them.
    pub(super) fn into_coach(self) -> C {
        self.reader.coach
    }

    /// What the games show of those of these bots that have any; nothing if somebody interrupts it.
    pub(super) fn analyse(
        &self,
        names: Vec<String>,
        stop: &AtomicBool,
        console: &Console,
    ) -> Result<Option<Vec<Report<C>>>, Failure> {
        let mut analysis = Analysis::new(names);
        let mut progress = ExportProgress::new(self.source.count(), console);
        let mut batch = Vec::new();
        let done = self.source.each_game(|game| {
            progress.advance();
            batch.push(game);
            if batch.len() < self.jobs * AT_A_TIME {
                return Ok(());
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Stopped::Interrupted);
            }
            Ok(self.take(&mut batch, &mut analysis)?)
        });
        let done = done.and_then(|()| Ok(self.take(&mut batch, &mut analysis)?));
        progress.clear();
        match done {
            Ok(()) => Ok(Some(analysis.reports())),
            Err(Stopped::Interrupted) => Ok(None),
            Err(Stopped::Damaged(error)) => Err(error.into()),
        }
    }

    /// Appraises some games, and sums them up in their order.
    fn take(
        &self,
        batch: &mut Vec<StoredGame>,
        analysis: &mut Analysis<C::Tally>,
    ) -> Result<(), FileError> {
        let reader = &self.reader;
        let chunks: Vec<Vec<_>> = thread::scope(|scope| {
            let appraise = |chunk: &'_ [StoredGame]| -> Vec<_> {
                chunk.iter().map(|game| reader.appraise(&game.line)).collect()
            };
            let mut chunks = batch.chunks(AT_A_TIME);
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

impl<C: Coach> Reader<C> {
    /// The game of this line, or why it is none; nothing if it counts for nobody.
    fn appraise(&self, line: &str) -> Result<Option<Appraised<C>>, String> {
        let replay = read_game_line::<C::Game>(line, self.rules, &self.chance)
            .map_err(|error| why_unreadable(&error))?;
        if let Some(stranger) = replay.names.iter().find(|name| !self.known.contains(*name)) {
            return Err(format!("bot {stranger:?} plays, and the header does not name it"));
        }
        let wanted = |name: &str| self.wanted.contains(name);
        Ok(self.coach.appraise(&self.chance, &replay, wanted))
    }
}
