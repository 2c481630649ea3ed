//! Removing the moves of old runs, which take most of the space.

use rusqlite::{Connection, params};

use super::pages::open_page::OpenPage;
use super::read_connection::companion;
use super::runs::seal::seal;
use super::vacuum::{check_free, empty_log, free_percent, vacuum};
use super::writing::game_lines::without_moves;
use super::{GamePage, HillStore, database};
use crate::FileError;

/// A file of which more percent are free pages is rewritten, even if no moves were removed: an earlier attempt may have had too
/// little room for that.
const MAX_FREE_PERCENT: i64 = 10;

/// What was removed from a hill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Runs whose moves were removed.
    pub runs: u64,
    /// The bytes of the file and its write-ahead log before and afterwards.
    pub bytes: [u64; 2],
    /// Whether others that read the hill keep the space from being given back.
    pub is_kept: bool,
}

impl HillStore {
    /// Removes the moves of all ended runs but the last `keep` and the last `keep` imported ones. Their games keep seats, outcomes, failures and answer times, and the
    /// runs their results; they cannot be replayed any more. Each run is changed and sealed again in one transaction. The space is
    /// given back to the system at the end.
    ///
    /// # Errors
    /// If a run was altered, of which nothing is changed, the disk has too little room, or the store cannot be written. Runs whose
    /// moves were removed before stay without them.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub fn prune(&mut self, keep: usize) -> Result<Pruned, FileError> {
        assert!(self.lock.is_some(), "a store that was opened to write");
        let before = self.bytes();
        let ended = self.runs()?.into_iter().filter(|run| run.result.is_some());
        let (imported, own): (Vec<_>, Vec<_>) = ended.partition(|run| run.is_imported);
        let older = [own, imported].map(|mut runs| {
            runs.truncate(runs.len().saturating_sub(keep));
            runs
        });
        let mut pruned = 0;
        for run in older.into_iter().flatten() {
            if self.has_moves(run.run)? {
                self.check_seal(run.run)?;
                // The changed pages are in the write-ahead log until they are in the file.
                check_free(&self.path, self.page_bytes(run.run)?)?;
                let removed = self.remove_moves(run.run);
                empty_log(&self.database);
                removed?;
                pruned += 1;
            }
        }
        let free = free_percent(&self.database).map_err(self.to_file_error())?;
        let is_worthwhile = pruned > 0 || free > MAX_FREE_PERCENT;
        let is_kept = is_worthwhile && !vacuum(&self.database, &self.path)?;
        Ok(Pruned { runs: pruned, bytes: [before, self.bytes()], is_kept })
    }

    fn bytes(&self) -> u64 {
        let log = companion(&self.path, "-wal");
        [&self.path, &log]
            .iter()
            .filter_map(|file| file.metadata().ok())
            .map(|meta| meta.len())
            .sum()
    }

    fn has_moves(&self, run: i64) -> Result<bool, FileError> {
        let sql = "SELECT moves FROM run WHERE id = ?1";
        self.database.query_row(sql, [run], |row| row.get(0)).map_err(self.to_file_error())
    }

    /// The bytes of a run's games.
    fn page_bytes(&self, run: i64) -> Result<u64, FileError> {
        let sql = "SELECT coalesce(sum(length(games)), 0) FROM page WHERE run = ?1";
        let bytes = self.database.query_row(sql, [run], |row| row.get::<_, i64>(0));
        bytes.map(i64::unsigned_abs).map_err(self.to_file_error())
    }

    fn remove_moves(&mut self, run: i64) -> Result<(), FileError> {
        let path = self.path.clone();
        let failed = |error| database::error(&path, &error);
        let bars = "SELECT count(*) FROM bar WHERE run = ?1";
        let bars: i64 = self.database.query_row(bars, [run], |row| row.get(0)).map_err(failed)?;
        // A transaction that is not committed is rolled back.
        self.database.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
        let done = (0..=bars)
            .try_for_each(|attempt| self.rewrite_pages(run, attempt))
            .and_then(|()| reseal(&self.database, run).map_err(failed));
        let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
        let ended = self.database.execute_batch(end).map_err(failed);
        done.and(ended)
    }

    /// Writes the pages of an attempt again, without moves. There is one for each page of before.
    fn rewrite_pages(&self, run: i64, attempt: i64) -> Result<(), FileError> {
        let mut previous = [0; 32];
        let mut new = Vec::new();
        self.each_page(run, attempt, |page| {
            let page = page_without_moves(&page, &previous);
            previous = page.hash;
            new.push(page);
            Ok::<_, FileError>(())
        })?;
        let sql = "UPDATE page SET games = ?1, times = ?2, checks = ?3, hash = ?4
             WHERE run = ?5 AND attempt = ?6 AND first = ?7";
        let write = |page: GamePage| -> rusqlite::Result<()> {
            let GamePage { first, games, times, checks, hash, .. } = page;
            let values = params![games, times, checks, hash, run, attempt, first.cast_signed()];
            self.database.prepare_cached(sql)?.execute(values).map(drop)
        };
        new.into_iter().try_for_each(write).map_err(self.to_file_error())
    }
}

fn page_without_moves(page: &GamePage, previous: &[u8; 32]) -> GamePage {
    let mut open = OpenPage::default();
    let mut times = page.answer_times();
    for (game, line) in (page.first..).zip(page.lines()) {
        open.add(game, without_moves(line), &times.next().unwrap_or_default(), None);
    }
    open.close(previous)
}

/// Seals a run that has no moves any more. Of the hash over its records only the one in the result is left: a state from which it
/// can be finished has up to 64 KiB, often more than the moves.
fn reseal(database: &Connection, run: i64) -> rusqlite::Result<()> {
    database.execute("UPDATE run SET moves = 0 WHERE id = ?1", [run])?;
    let seal = seal(database, run)?;
    database.execute("UPDATE run SET seal = ?1 WHERE id = ?2", params![seal, run]).map(drop)
}
