//! The queue of a hill: which entries wait, which run has to be resumed, and when the next run is due.

use rusqlite::{OptionalExtension, params};

use super::EntryStore;
use super::entry::{EntryState, ORDER, StoredEntry};
use super::upload::{OF_HOLDER, finish};
use crate::hill_store::setting_rows::BEGUN_IN_VAIN;
use crate::hill_store::{Renaming, database, renaming, setting_rows};
use crate::{EntryTerms, FileError};

/// Ends the entries whose bots are on the hill.
const END_READY: &str = "UPDATE entry SET state = 'done' WHERE state = 'ready'";

/// The number of qualifications whose times are considered.
const REMEMBERED_CHECKS: usize = 21;

/// The number of placements whose times are considered: they take longer on a hill with more bots.
const REMEMBERED_PLACEMENTS: i64 = 5;

/// What the queue of a hill knows of the hill's runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WholeRuns {
    /// When the last whole run began, in seconds since 1970, also if that was in vain; `None` if there is none. Placements
    /// and imported runs do not count.
    pub last_begun: Option<i64>,
    /// How long the last whole run took that has ended, in seconds.
    pub last_seconds: Option<i64>,
}

impl EntryStore {
    /// How the hill takes entries. A store with an older schema has the default.
    ///
    /// # Errors
    /// If the store cannot be read, or a setting has an invalid value.
    pub fn entry_terms(&self) -> Result<EntryTerms, FileError> {
        setting_rows::read(&self.database, &self.path)
    }

    /// The entries whose qualification has not ended, in the order of the queue.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn waiting_entries(&self) -> Result<Vec<StoredEntry>, FileError> {
        let sql = format!("WHERE state IN ('waiting', 'checking') ORDER BY {ORDER}");
        self.select(&sql, [])
    }

    /// The entries in a state, in the order of the queue.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn entries_in(&self, state: EntryState) -> Result<Vec<StoredEntry>, FileError> {
        let sql = format!("WHERE state = ?1 ORDER BY {ORDER}");
        self.select(&sql, [state.name()])
    }

    /// The last entries of the holder of a token, newest first, `most` at most. Tokens of the same name belong to one person.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn entries_of(&self, token: i64, most: u32) -> Result<Vec<StoredEntry>, FileError> {
        let sql = format!("WHERE {OF_HOLDER} ORDER BY id DESC LIMIT ?2");
        self.select(&sql, params![token, most])
    }

    /// The bots that came to the hill with uploads of the holder of a token, also by the names that they had before a host gave
    /// them others.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn bots_of(&self, token: i64) -> Result<Vec<String>, FileError> {
        let sql = format!(
            "SELECT DISTINCT bot FROM entry WHERE {OF_HOLDER}
             AND (run IS NOT NULL OR state IN ('ready', 'playing', 'done')) ORDER BY bot"
        );
        let bots = || -> rusqlite::Result<Vec<String>> {
            self.database.prepare(&sql)?.query_map([token], |row| row.get(0))?.collect()
        };
        let mut bots = bots().map_err(self.to_file_error())?;
        // The last renaming first, so that a bot is followed back through all its names.
        let renamings = renaming::read(&self.database).map_err(self.to_file_error())?;
        for Renaming { from, to } in renamings.into_iter().rev() {
            if bots.contains(&to) && !bots.contains(&from) {
                bots.push(from);
            }
        }
        Ok(bots)
    }

    /// Whether the holder of a token has uploaded an entry.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn is_entry_of(&self, entry: i64, token: i64) -> Result<bool, FileError> {
        let sql = format!("SELECT count(*) FROM entry WHERE {OF_HOLDER} AND id = ?2");
        let count: rusqlite::Result<i64> =
            self.database.query_row(&sql, params![token, entry], |row| row.get(0));
        Ok(count.map_err(self.to_file_error())? > 0)
    }

    /// Begins the qualification of an entry that waits; returns how often one of it has begun, this one included. `None` if the
    /// entry does not wait any more.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn begin_check(&mut self, entry: i64) -> Result<Option<i64>, FileError> {
        let begin = || -> rusqlite::Result<Option<i64>> {
            let sql = "UPDATE entry SET state = 'checking', attempts = attempts + 1
                 WHERE id = ?1 AND state IN ('waiting', 'checking') RETURNING attempts";
            self.database.query_row(sql, [entry], |row| row.get(0)).optional()
        };
        begin().map_err(self.to_file_error())
    }

    /// Resumes a qualification that was interrupted; returns whether the entry is still open.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn resume_check(&mut self, entry: i64) -> Result<bool, FileError> {
        let sql = "UPDATE entry SET state = 'checking' WHERE id = ?1 AND state IN ('waiting', 'checking')";
        let changed = self.database.execute(sql, [entry]).map_err(self.to_file_error())?;
        Ok(changed > 0)
    }

    /// Remembers that a whole run was begun in vain at this time, in seconds since 1970, such as with too few bots: it is not
    /// tried again before the next time of the schedule. Ends the entries that were to play in it; their bots are on the hill.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn end_ready_in_vain(&mut self, begun: i64) -> Result<(), FileError> {
        let path = self.path.clone();
        let end = |database: &mut Self| -> rusqlite::Result<()> {
            let transaction = database.begin()?;
            let sql = "INSERT OR REPLACE INTO setting VALUES (?1, ?2)";
            transaction.execute(sql, [BEGUN_IN_VAIN, &begun.to_string()])?;
            transaction.execute(END_READY, [])?;
            transaction.commit()
        };
        end(self).map_err(|error| database::error(&path, &error))
    }

    /// Ends the entries whose bots are on the hill and were left out of a run.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn end_ready(&mut self) -> Result<(), FileError> {
        self.database.execute(END_READY, []).map(drop).map_err(self.to_file_error())
    }

    /// Sets an entry whose bot is not on the hill to a final state, or back to one in which it waits. An entry that has reached
    /// another state meanwhile keeps it.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn end_check(&mut self, entry: i64, state: EntryState) -> Result<(), FileError> {
        let path = self.path.clone();
        let end = |database: &mut Self| -> rusqlite::Result<()> {
            let transaction = database.begin()?;
            let sql =
                "SELECT count(*) FROM entry WHERE id = ?1 AND state IN ('waiting', 'checking')";
            let is_open: i64 = transaction.query_row(sql, [entry], |row| row.get(0))?;
            match (is_open > 0, state.is_final()) {
                (false, _) => {}
                (true, true) => finish(&transaction, entry, state)?,
                (true, false) => {
                    // The attempt does not count: it was not the bot that ended it.
                    let sql = "UPDATE entry SET state = ?1, attempts = max(attempts - 1, 0) WHERE id = ?2";
                    transaction.execute(sql, params![state.name(), entry])?;
                }
            }
            transaction.commit()
        };
        end(self).map_err(|error| database::error(&path, &error))
    }

    /// Sets how long the qualification of an entry took.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn set_check_time(&mut self, entry: i64, milliseconds: i64) -> Result<(), FileError> {
        let sql = "UPDATE entry SET check_ms = ?1 WHERE id = ?2";
        let done = self.database.execute(sql, params![milliseconds, entry]);
        done.map(drop).map_err(self.to_file_error())
    }

    /// The median time of the last qualifications, in milliseconds; `None` if there was none.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn usual_check_time(&self) -> Result<Option<i64>, FileError> {
        let times = || -> rusqlite::Result<Vec<i64>> {
            if !database::has_column(&self.database, "entry", "check_ms") {
                return Ok(Vec::new());
            }
            let sql =
                "SELECT check_ms FROM entry WHERE check_ms IS NOT NULL ORDER BY id DESC LIMIT ?1";
            let mut statement = self.database.prepare(sql)?;
            statement.query_map([REMEMBERED_CHECKS as i64], |row| row.get(0))?.collect()
        };
        let mut times = times().map_err(self.to_file_error())?;
        times.sort_unstable();
        Ok(times.get(times.len() / 2).copied())
    }

    /// The run that the queue has to resume: the first that it has begun and the host has not stopped.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn run_to_resume(&self) -> Result<Option<i64>, FileError> {
        let sql = "SELECT min(id) FROM run WHERE ended IS NULL
             AND (queued = 1 OR id IN (SELECT run FROM entry WHERE state = 'playing'))";
        self.database.query_row(sql, [], |row| row.get(0)).map_err(self.to_file_error())
    }

    /// Leaves a run that is not resumed: its entries get this state, and their bots stay on the hill.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn give_up_run(&mut self, run: i64, state: EntryState) -> Result<(), FileError> {
        let path = self.path.clone();
        let give_up = |database: &mut Self| -> rusqlite::Result<()> {
            let transaction = database.begin()?;
            transaction.execute("UPDATE run SET queued = 0 WHERE id = ?1", [run])?;
            let sql = "UPDATE entry SET state = ?2 WHERE state = 'playing' AND run = ?1";
            transaction.execute(sql, params![run, state.name()])?;
            transaction.commit()
        };
        give_up(self).map_err(|error| database::error(&path, &error))
    }

    /// Ends what earlier processes and versions left open: entries of runs that have ended, entries that failed with their run
    /// although their bots are on the hill, and entries without a file. Returns the last ones.
    ///
    /// # Errors
    /// If the store cannot be read and written.
    pub fn settle(&mut self) -> Result<Vec<StoredEntry>, FileError> {
        let sql = "UPDATE entry SET state = 'done' WHERE state = 'playing'
             AND run IN (SELECT id FROM run WHERE ended IS NOT NULL)
             OR state = 'failed' AND run IS NOT NULL";
        self.database.execute(sql, []).map_err(self.to_file_error())?;
        let sql = "WHERE state IN ('waiting', 'checking', 'held')
             AND id NOT IN (SELECT entry FROM upload) ORDER BY id";
        self.select(sql, [])
    }

    /// Whether the hill places new bots as soon as they have qualified.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn places_new_bots(&self) -> Result<bool, FileError> {
        let sql = "SELECT format = 'duel' FROM hill";
        let is_duel: bool =
            self.database.query_row(sql, [], |row| row.get(0)).map_err(self.to_file_error())?;
        // Before, the strengths of the others are unknown.
        Ok(is_duel && self.whole_runs()?.last_seconds.is_some())
    }

    /// The mean time of the last placements, in seconds; `None` if there was none.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn usual_placement_seconds(&self) -> Result<Option<f64>, FileError> {
        let sql = "SELECT avg(seconds) FROM
             (SELECT ended - begun AS seconds FROM run
              WHERE json_type(header, '$.strengths') IS NOT NULL AND ended IS NOT NULL
              ORDER BY id DESC LIMIT ?1)";
        let mean = self.database.query_row(sql, [REMEMBERED_PLACEMENTS], |row| row.get(0));
        mean.map_err(self.to_file_error())
    }

    /// Whether the host has barred a bot since this time, in seconds since 1970.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn has_barred_since(&self, time: i64) -> Result<bool, FileError> {
        let sql = "SELECT count(*) FROM entrant WHERE barred >= ?1";
        let barred: rusqlite::Result<i64> = self.database.query_row(sql, [time], |row| row.get(0));
        Ok(barred.map_err(self.to_file_error())? > 0)
    }

    /// The hill's whole runs.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn whole_runs(&self) -> Result<WholeRuns, FileError> {
        let sql =
            "SELECT begun, ended - begun FROM run WHERE json_type(header, '$.strengths') IS NULL
             AND id NOT IN (SELECT run FROM run_bot WHERE version IS NULL) ORDER BY id DESC";
        let rows = || -> rusqlite::Result<Vec<(i64, Option<i64>)>> {
            let mut statement = self.database.prepare(sql)?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        let rows = rows().map_err(self.to_file_error())?;
        let in_vain = setting_rows::begun_in_vain(&self.database);
        let in_vain = in_vain.map_err(self.to_file_error())?;
        Ok(WholeRuns {
            last_begun: rows.first().map(|(begun, _)| *begun).max(in_vain),
            last_seconds: rows.iter().find_map(|(_, seconds)| *seconds),
        })
    }
}
