//! What the host asks of the process that plays on a hill, and of later ones.

use dicehill_arena::{LimitKey, Limits};
use rusqlite::{OptionalExtension, Transaction, params};

use super::EntryStore;
use crate::FileError;
use crate::hill_store::entrants::unknown_entrant;
use crate::hill_store::{database, hill_row};

/// The first version of the schema in which entrants can be barred.
const FIRST_VERSION_WITH_BARS: i64 = 3;
/// Counts a request to stop.
const STOP: &str = "UPDATE hill SET stops = stops + 1";

impl EntryStore {
    /// Asks the process that plays on the hill to stop, which it does as after Ctrl-C. A process that begins later is not
    /// asked.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn request_stop(&mut self) -> Result<(), FileError> {
        self.database.execute(STOP, []).map(drop).map_err(self.to_file_error())
    }

    /// How often [`Self::request_stop`] and [`Self::bar`] have asked a process to stop.
    ///
    /// # Errors
    /// If the store cannot be read, or has no such number because no process of this version has written it.
    pub fn stop_requests(&self) -> Result<i64, FileError> {
        let number = self.database.query_row("SELECT stops FROM hill", [], |row| row.get(0));
        number.map_err(self.to_file_error())
    }

    /// Bars an entrant: takes it off the hill, and keeps its name from being uploaded. [`crate::HillStore`] adds it again. If
    /// it was on the hill, the process that plays is asked to stop.
    ///
    /// # Errors
    /// If there never was such an entrant, or the store cannot be written.
    pub fn bar(&mut self, name: &str) -> Result<(), FileError> {
        let mut bar = || -> rusqlite::Result<bool> {
            let transaction = self.begin()?;
            let is_known = bar_entrant(&transaction, name)?;
            transaction.commit().map(|()| is_known)
        };
        let is_known = bar().map_err(self.to_file_error())?;
        let unknown = || unknown_entrant(&self.database, &self.path, name);
        is_known.then_some(()).ok_or_else(unknown)
    }

    /// Changes limits of the hill, each to a value or, with `None`, to its default, and returns all of them. Only runs that begin
    /// later have them.
    ///
    /// # Errors
    /// If a value is not in its range, and then no limit is changed, or the store cannot be read and written.
    pub fn set_limits(&mut self, changes: &[(LimitKey, Option<u64>)]) -> Result<Limits, FileError> {
        let path = self.path.clone();
        let failed = |error| database::error(&path, &error);
        let transaction = self.begin().map_err(failed)?;
        let mut limits = hill_row::read(&transaction, &path)?.limits;
        for (key, value) in changes {
            let changed = limits.with(*key, *value);
            limits = changed.map_err(|error| FileError::new(&path, error))?;
        }
        let limits = limits.without_default();
        let written =
            hill_row::set_limits(limits, &transaction).and_then(|()| transaction.commit());
        written.map_err(failed)?;
        Ok(limits)
    }

    /// Whether the host has barred an entrant of this name, or of one that differs only in case. In a store with an older schema
    /// none is barred.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn is_barred(&self, name: &str) -> Result<bool, FileError> {
        let barred = || -> rusqlite::Result<Vec<String>> {
            if database::version(&self.database)? < FIRST_VERSION_WITH_BARS {
                return Ok(Vec::new());
            }
            let sql = "SELECT name FROM entrant WHERE barred IS NOT NULL";
            self.database.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
        };
        let barred = barred().map_err(self.to_file_error())?;
        Ok(barred.iter().any(|barred| barred.to_lowercase() == name.to_lowercase()))
    }
}

/// Returns whether there is such an entrant.
fn bar_entrant(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT removed IS NULL FROM entrant WHERE name = ?1";
    let present: Option<bool> = transaction.query_row(sql, [name], |row| row.get(0)).optional()?;
    let sql = "UPDATE entrant SET barred = ?1, removed = coalesce(removed, ?1) WHERE name = ?2";
    transaction.execute(sql, params![database::now(), name])?;
    if present == Some(true) {
        transaction.execute(STOP, [])?;
    }
    Ok(present.is_some())
}
