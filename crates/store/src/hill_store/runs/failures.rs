//! The failures of a run's games.

use std::collections::BTreeSet;

use dicehill_arena::Bar;
use rusqlite::Row;

use crate::hill_store::HillStore;
use crate::{FileError, ReportAccess};

/// A failure, with the request and the log that the game's line does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFailure {
    /// The number of bars before it.
    pub attempt: i64,
    /// The number of the game.
    pub game: u64,
    /// The bot that failed.
    pub bot: String,
    /// The reason, for example `illegal-move`.
    pub reason: String,
    /// What happened.
    pub detail: String,
    /// The request that the bot failed to answer.
    pub request: String,
    /// The last lines of the bot's log.
    pub log: String,
}

impl HillStore {
    /// All failures of a run, in order.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn failures(&self, run: i64) -> Result<Vec<StoredFailure>, FileError> {
        let read = || -> rusqlite::Result<Vec<StoredFailure>> {
            let mut statement = self.database.prepare(
                "SELECT attempt, game, bot, reason, detail, request, log FROM failure
                 WHERE run = ?1 ORDER BY attempt, game, number",
            )?;
            statement.query_map([run], failure)?.collect()
        };
        read().map_err(self.to_file_error())
    }

    /// The last failures of these bots in all runs, latest first, each with its run, `most` at most.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn last_failures(
        &self,
        bots: &[String],
        most: u32,
    ) -> Result<Vec<(i64, StoredFailure)>, FileError> {
        let read = || -> rusqlite::Result<Vec<(i64, StoredFailure)>> {
            let names = serde_json::to_string(bots).unwrap_or_default();
            let mut statement = self.database.prepare(
                "SELECT attempt, game, bot, reason, detail, request, log, run FROM failure
                 WHERE bot IN (SELECT value FROM json_each(?1))
                 ORDER BY run DESC, attempt DESC, game DESC, number DESC LIMIT ?2",
            )?;
            let failure = |row: &Row<'_>| Ok((row.get(7)?, failure(row)?));
            statement.query_map(rusqlite::params![names, most], failure)?.collect()
        };
        read().map_err(self.to_file_error())
    }
}

impl HillStore {
    /// The last bars of these bots in all runs, latest first, each with its run and its number in the run, from 1, `most` at most.
    ///
    /// # Errors
    /// If the store cannot be read or is damaged.
    pub fn last_bars(
        &self,
        bots: &[String],
        most: u32,
    ) -> Result<Vec<(i64, usize, Bar)>, FileError> {
        let read = || -> rusqlite::Result<Vec<(i64, i64, String)>> {
            let names = serde_json::to_string(bots).unwrap_or_default();
            let mut statement = self.database.prepare(
                "SELECT run, number, bar FROM bar
                 WHERE json_extract(bar, '$.bot') IN (SELECT value FROM json_each(?1))
                 ORDER BY run DESC, number DESC LIMIT ?2",
            )?;
            let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            statement.query_map(rusqlite::params![names, most], row)?.collect()
        };
        let bars = read().map_err(self.to_file_error())?.into_iter();
        bars.map(|(run, number, text)| Ok((run, number as usize + 1, self.read_bar(run, &text)?)))
            .collect()
    }

    /// The names of the bots whose requests, answers and logs only their authors and hosts may read: those that were uploaded,
    /// unless the hill makes reports public.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn private_bots(&self) -> Result<BTreeSet<String>, FileError> {
        match self.entry_terms()?.reports {
            ReportAccess::Public => Ok(BTreeSet::new()),
            ReportAccess::Author => self.uploaded_bots(),
        }
    }

    /// The names of the bots that were uploaded.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn uploaded_bots(&self) -> Result<BTreeSet<String>, FileError> {
        let read = || -> rusqlite::Result<BTreeSet<String>> {
            let mut statement = self.database.prepare("SELECT DISTINCT bot FROM entry")?;
            statement.query_map([], |row| row.get(0))?.collect()
        };
        read().map_err(self.to_file_error())
    }
}

fn failure(row: &Row<'_>) -> rusqlite::Result<StoredFailure> {
    Ok(StoredFailure {
        attempt: row.get(0)?,
        game: row.get::<_, i64>(1)?.unsigned_abs(),
        bot: row.get(2)?,
        reason: row.get(3)?,
        detail: row.get(4)?,
        request: row.get(5)?,
        log: row.get(6)?,
    })
}
