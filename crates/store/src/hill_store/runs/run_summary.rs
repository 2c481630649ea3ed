//! The list of a hill's runs.

use rusqlite::Row;

use crate::hill_store::HillStore;
use crate::{FileError, RunHeader};

/// A run without its games.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// The number of the run in its hill, from 1.
    pub run: i64,
    /// When the run began, in seconds since 1970.
    pub begun: i64,
    /// When it ended, in seconds since 1970.
    pub ended: Option<i64>,
    /// The number of stored games that count.
    pub games: u64,
    /// Its header.
    pub header: RunHeader,
    /// The result document; `None` of an unfinished run.
    pub result: Option<String>,
    /// Whether the run was imported: its bots are then no versions of the hill's entrants.
    pub is_imported: bool,
    /// Whether its games have their moves.
    pub keeps_moves: bool,
}

impl HillStore {
    /// All runs, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn runs(&self) -> Result<Vec<RunSummary>, FileError> {
        self.runs_from(1)
    }

    /// The run with this number and all later ones, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn runs_from(&self, first: i64) -> Result<Vec<RunSummary>, FileError> {
        let raw = self.raw_runs(first).map_err(self.to_file_error())?;
        raw.into_iter().map(|raw| self.summary(raw)).collect()
    }

    fn summary(&self, raw: RunRow) -> Result<RunSummary, FileError> {
        let RunRow { run, begun, ended, games, header, result, is_imported, keeps_moves } = raw;
        let header = self.header(run, header)?;
        Ok(RunSummary { run, begun, ended, games, header, result, is_imported, keeps_moves })
    }

    fn raw_runs(&self, first: i64) -> rusqlite::Result<Vec<RunRow>> {
        let mut statement = self.database.prepare(
            "SELECT id, begun, ended,
                 coalesce((SELECT max(last) FROM page WHERE run = run.id AND attempt =
                     (SELECT count(*) FROM bar WHERE bar.run = run.id)), 0),
                 header, result,
                 NOT EXISTS (SELECT 1 FROM run_bot WHERE run = run.id AND version IS NOT NULL),
                 moves
             FROM run WHERE id >= ?1 ORDER BY id",
        )?;
        statement.query_map([first], RunRow::read)?.collect()
    }
}

/// A run before its header is parsed.
struct RunRow {
    run: i64,
    begun: i64,
    ended: Option<i64>,
    games: u64,
    header: String,
    result: Option<String>,
    is_imported: bool,
    keeps_moves: bool,
}

impl RunRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            run: row.get(0)?,
            begun: row.get(1)?,
            ended: row.get(2)?,
            games: row.get::<_, i64>(3)?.unsigned_abs(),
            header: row.get(4)?,
            result: row.get(5)?,
            is_imported: row.get(6)?,
            keeps_moves: row.get(7)?,
        })
    }
}
