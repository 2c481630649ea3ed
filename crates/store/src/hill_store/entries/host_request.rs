//! What the host asks of the process that plays on a hill, and of later ones: the parts of [`super::HostAction`].

use std::path::Path;

use dicehill_arena::LimitKey;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{EntryRefusal, EntryState, EntryStore};
use crate::FileError;
use crate::hill_store::{database, hill_row};

/// The first version of the schema in which entrants can be barred.
const FIRST_VERSION_WITH_BARS: i64 = 3;
/// Counts a request to stop.
const STOP: &str = "UPDATE hill SET stops = stops + 1";

impl EntryStore {
    /// How often a host has asked a process that plays to stop: one that begins later is not asked.
    ///
    /// # Errors
    /// If the store cannot be read, or has no such number because no process of this version has written it.
    pub fn stop_requests(&self) -> Result<i64, FileError> {
        let number = self.database.query_row("SELECT stops FROM hill", [], |row| row.get(0));
        number.map_err(self.to_file_error())
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

/// Changes limits of the hill, each to a value or, with `None`, to its default. Only runs that begin later have them. The caller
/// has begun a transaction.
///
/// # Errors
/// If a value is not in its range, or the store cannot be read and written.
pub(super) fn change_limits(
    transaction: &Transaction<'_>,
    path: &Path,
    changes: &[(LimitKey, Option<u64>)],
) -> Result<(), FileError> {
    if changes.is_empty() {
        return Ok(());
    }
    let mut limits = hill_row::read(transaction, path)?.limits;
    for (key, value) in changes {
        let changed = limits.with(*key, *value);
        limits = changed.map_err(|error| FileError::new(path, error))?;
    }
    let written = hill_row::set_limits(limits.without_default(), transaction);
    written.map_err(|error| database::error(path, &error))
}

/// Asks the process that plays to stop. The queue does not resume its run, whose new bots stay on the hill.
pub(super) fn stop(database: &Connection) -> rusqlite::Result<()> {
    leave_runs(database, EntryState::Done)
}

/// Asks the process that plays to stop. The queue does not resume its run, whose entries get this state.
fn leave_runs(database: &Connection, state: EntryState) -> rusqlite::Result<()> {
    database.execute(STOP, [])?;
    database.execute("UPDATE run SET queued = 0 WHERE ended IS NULL", [])?;
    let open = "state = 'playing' AND run IN (SELECT id FROM run WHERE ended IS NULL)";
    // An entry that is ready is part of no run.
    let sql = format!(
        "UPDATE entry SET state = ?1, run = CASE ?1 WHEN 'ready' THEN NULL ELSE run END WHERE {open}"
    );
    database.execute(&sql, [state.name()]).map(drop)
}

/// Which entrant a host bars.
pub(super) enum BarredEntrant {
    New,
    /// It is barred and not on the hill.
    Already,
    Unknown,
}

/// Bars an entrant: takes it off the hill, and keeps its name from being uploaded. `dicehill hill add` adds it again. If it was on
/// the hill, the process that plays is asked to stop, and the other bots that came to the hill with its run play in the next one.
pub(super) fn bar_entrant(database: &Connection, name: &str) -> rusqlite::Result<BarredEntrant> {
    let sql = "SELECT removed IS NULL, barred IS NOT NULL FROM entrant WHERE name = ?1";
    let found = database.query_row(sql, [name], |row| Ok((row.get(0)?, row.get(1)?)));
    let Some((is_present, is_barred)): Option<(bool, bool)> = found.optional()? else {
        return Ok(BarredEntrant::Unknown);
    };
    if is_barred && !is_present {
        return Ok(BarredEntrant::Already);
    }
    let sql = "UPDATE entrant SET barred = ?1, removed = coalesce(removed, ?1) WHERE name = ?2";
    database.execute(sql, params![database::now(), name])?;
    if is_present {
        let open = "state IN ('playing', 'ready')";
        let sql = format!(
            "UPDATE entry SET state = 'refused', report = report || ?2 WHERE {open} AND bot = ?1"
        );
        let line = EntryRefusal::removal_line();
        database.execute(&sql, [name, &format!("{line}\n")])?;
        leave_runs(database, EntryState::Ready)?;
    }
    Ok(BarredEntrant::New)
}
