//! A run of a hill, apart from its games.

use std::ops::RangeInclusive;
use std::path::Path;

use dicehill_arena::{Bar, BotName, RecordsHash};
use rusqlite::OptionalExtension;

use crate::hill_store::{HillStore, StoredEntrant};
use crate::run_log::read_header::{HeaderError, read_header_line};
use crate::{FileError, RunHeader, json_message};

/// A run with everything but its games and failures.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// The number of the run in its hill, from 1.
    pub run: i64,
    /// Its header.
    pub header: RunHeader,
    /// Whether the moves of its games were kept.
    pub keeps_moves: bool,
    /// The bars, in order.
    pub bars: Vec<Bar>,
    /// The result document; `None` of an unfinished run.
    pub result: Option<String>,
    /// The versions that played, in the order of the header; `None` for a bot that was not on the hill.
    pub versions: Vec<Option<i64>>,
    /// The state of the hash over all records, if moves were not kept.
    records: Option<String>,
}

impl StoredRun {
    /// Whether the moves of its games were removed after it had ended. Of the hash over its records only the one in the result is left.
    pub(crate) const fn is_pruned(&self) -> bool {
        !self.keeps_moves && self.records.is_none() && self.result.is_some()
    }

    /// The hash over the records of the stored games; `None` if their moves were kept, from which it can be recomputed.
    ///
    /// # Errors
    /// If the stored hash is damaged.
    pub fn records_hash(&self, path: &Path) -> Result<Option<RecordsHash>, FileError> {
        if self.keeps_moves {
            return Ok(None);
        }
        let state = self.records.as_deref().unwrap_or("0:");
        let damaged = || FileError::new(path, format!("run {}: its hash is damaged", self.run));
        RecordsHash::from_state(state).map(Some).ok_or_else(damaged)
    }
}

impl HillStore {
    /// The run with this number.
    ///
    /// # Errors
    /// If there is no such run, or it is damaged.
    pub fn run(&self, run: i64) -> Result<StoredRun, FileError> {
        self.find_run(run)?.ok_or_else(|| self.no_such_run(run))
    }

    /// The run with this number; `None` if there is none.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn find_run(&self, run: i64) -> Result<Option<StoredRun>, FileError> {
        let found = self.database.query_row(
            "SELECT header, moves, records, result FROM run WHERE id = ?1",
            [run],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        );
        let found: Option<(String, bool, Option<String>, Option<String>)> =
            found.optional().map_err(self.to_file_error())?;
        let Some((header, keeps_moves, records, result)) = found else { return Ok(None) };
        Ok(Some(StoredRun {
            run,
            header: self.header(run, header)?,
            keeps_moves,
            bars: self.bars(run)?,
            result,
            versions: self.versions(run).map_err(self.to_file_error())?,
            records,
        }))
    }

    /// The numbers of runs that the hill had and has no more, as ranges. No command removes a run. Whether runs were removed after
    /// the last one cannot be known.
    ///
    /// # Errors
    /// If the hill cannot be read.
    pub fn missing_runs(&self) -> Result<Vec<RangeInclusive<i64>>, FileError> {
        let sql = "SELECT before + 1, id - 1 FROM
                   (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS before FROM run) WHERE id > before + 1";
        let read = || -> rusqlite::Result<Vec<_>> {
            let mut gaps = self.database.prepare(sql)?;
            let range = |row: &rusqlite::Row<'_>| Ok(row.get(0)?..=row.get(1)?);
            gaps.query_map([], range)?.collect()
        };
        read().map_err(self.to_file_error())
    }

    /// The error of a number that no run has, with the number of runs there are.
    #[must_use]
    pub fn no_such_run(&self, run: i64) -> FileError {
        let count = self.database.query_row("SELECT count(*) FROM run", [], |row| row.get(0));
        let count: i64 = count.unwrap_or_default();
        let plural = if count == 1 { "" } else { "s" };
        FileError::new(&self.path, format!("has no run {run}: it has {count} run{plural}"))
    }

    pub(super) fn header(&self, run: i64, line: String) -> Result<RunHeader, FileError> {
        read_header_line(line).map_err(|error| {
            let message = format!("run {run}: its header: {error}");
            match error {
                HeaderError::Unreadable(_) => FileError::new(&self.path, message),
                HeaderError::Altered(_) => FileError::altered(&self.path, None, message),
            }
        })
    }

    fn bars(&self, run: i64) -> Result<Vec<Bar>, FileError> {
        let texts = self.column("SELECT bar FROM bar WHERE run = ?1 ORDER BY number", run);
        let texts = texts.map_err(self.to_file_error())?;
        texts.iter().map(|text| self.read_bar(run, text)).collect()
    }

    /// A bar as its row has it.
    pub(super) fn read_bar(&self, run: i64, text: &str) -> Result<Bar, FileError> {
        serde_json::from_str(text).map_err(|error| {
            let message = format!("run {run}: a bar: {}", json_message(&error));
            FileError::new(&self.path, message)
        })
    }

    fn column(&self, sql: &str, run: i64) -> rusqlite::Result<Vec<String>> {
        self.database.prepare(sql)?.query_map([run], |row| row.get(0))?.collect()
    }

    fn versions(&self, run: i64) -> rusqlite::Result<Vec<Option<i64>>> {
        let sql = "SELECT version FROM run_bot WHERE run = ?1 ORDER BY place";
        self.database.prepare(sql)?.query_map([run], |row| row.get(0))?.collect()
    }

    /// The number of each entrant's version in a run, in the order of its header; `None` for one that was not on the hill.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn version_numbers(&self, run: i64) -> Result<Vec<Option<i64>>, FileError> {
        let numbers = || -> rusqlite::Result<_> {
            let sql = "SELECT version.number FROM run_bot LEFT JOIN version ON version.id = run_bot.version
                       WHERE run = ?1 ORDER BY place";
            self.database.prepare(sql)?.query_map([run], |row| row.get(0))?.collect()
        };
        numbers().map_err(self.to_file_error())
    }

    /// The entrants of a run, in the order of its header.
    ///
    /// # Errors
    /// If one of them was not on the hill.
    pub fn entrants_of(&self, run: &StoredRun) -> Result<Vec<StoredEntrant>, FileError> {
        let entrant = |(name, version): (&BotName, &Option<i64>)| match version {
            Some(version) => self.version(*version),
            None => {
                let message = format!(
                    "run {}: {name} was not on the hill, so its files are unknown",
                    run.run
                );
                Err(FileError::new(&self.path, message))
            }
        };
        run.header.bots.iter().map(|bot| &bot.name).zip(&run.versions).map(entrant).collect()
    }
}
