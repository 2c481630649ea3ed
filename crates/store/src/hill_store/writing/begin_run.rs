//! Beginning and resuming the runs of a store.

use std::time::Duration;

use dicehill_arena::RecordsHash;

use super::RunWriter;
use super::highlight_tracker::HighlightTracker;
use super::run_inserter::{DELAY, RunInserter, RunPosition, RunStart};
use crate::FileError;
use crate::hill_store::{HillStore, NewEntrant, StoredGames};

impl HillStore {
    /// Begins the next run of the hill, which adds `new_entrants` to it. Nothing is stored before the run's first event.
    ///
    /// # Errors
    /// If the store cannot be written.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub fn begin_run(
        self,
        new_entrants: Vec<NewEntrant>,
        keeps_moves: bool,
    ) -> Result<RunWriter, FileError> {
        let run = self.next_run()?;
        let records = (!keeps_moves).then(RecordsHash::default);
        let position = RunPosition { records, ..RunPosition::default() };
        let highlights = HighlightTracker::begun();
        let start = RunStart { run, keeps_moves, new_entrants, position, highlights, delay: DELAY };
        Ok(RunWriter::new(RunInserter::new(self, start)))
    }

    fn next_run(&self) -> Result<i64, FileError> {
        let next = "SELECT coalesce(max(id), 0) + 1 FROM run";
        self.database.query_row(next, [], |row| row.get(0)).map_err(self.to_file_error())
    }

    /// Begins a run that was played elsewhere. [`RunInserter::flush`] stores all of it in one transaction. The hash over the
    /// records of games without moves is unknown.
    pub(crate) fn begin_import(self, keeps_moves: bool) -> Result<RunInserter, FileError> {
        let run = self.next_run()?;
        let (new_entrants, position) = (Vec::new(), RunPosition::default());
        let (highlights, delay) = (HighlightTracker::begun(), Duration::MAX);
        let start = RunStart { run, keeps_moves, new_entrants, position, highlights, delay };
        Ok(RunInserter::new(self, start))
    }

    /// Resumes an interrupted run after the games that `stored` has.
    ///
    /// # Errors
    /// If there is no such run, or it is damaged.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub fn resume_run(self, run: i64, stored: &StoredGames) -> Result<RunWriter, FileError> {
        let found = self.run(run)?;
        let records = found.records_hash(&self.path)?;
        let (next, previous) = stored.end();
        let position = RunPosition { attempt: found.bars.len() as i64, next, previous, records };
        let (keeps_moves, new_entrants) = (found.keeps_moves, Vec::new());
        let highlights = HighlightTracker::resumed(self.highlights(run)?);
        let start = RunStart { run, keeps_moves, new_entrants, position, highlights, delay: DELAY };
        let mut inserter = RunInserter::new(self, start);
        inserter.set_stored();
        Ok(RunWriter::new(inserter))
    }
}
