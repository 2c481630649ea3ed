//! The table `setting`: how the hill takes entries, and when it plays by itself.

use std::path::Path;

use dicehill_arena::printable;
use rusqlite::{Connection, OptionalExtension, params};

use super::database;
use crate::{EntryKey, EntryTerms, FileError};

/// The row with the time at which the schedule was set.
const SCHEDULED: &str = "scheduled";
/// The row with the time at which a whole run was begun in vain for the last time.
pub(super) const BEGUN_IN_VAIN: &str = "begun_in_vain";

/// The settings; in a store with an older schema the default.
pub(super) fn read(database: &Connection, path: &Path) -> Result<EntryTerms, FileError> {
    let rows = || -> rusqlite::Result<Vec<(String, String)>> {
        if !database::has_table(database, "setting")? {
            return Ok(Vec::new());
        }
        let mut statement = database.prepare("SELECT key, value FROM setting")?;
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    let rows = rows().map_err(|error| database::error(path, &error))?;
    let invalid = |key: &str, value: &str| {
        let message = format!("its table setting has {key} = {}", printable(value));
        FileError::new(path, message)
    };
    let mut terms = EntryTerms::default();
    for (key, value) in rows.iter().filter(|(key, _)| key != SCHEDULED) {
        // A key of a later version is no reason to refuse the hill, but a value that cannot be read is.
        let Ok(known) = key.parse::<EntryKey>() else { continue };
        terms = terms.with(known, Some(value), 0).map_err(|_| invalid(key, value))?;
    }
    if let Some((key, value)) = rows.iter().find(|(key, _)| key == SCHEDULED) {
        terms.scheduled = value.parse().map_err(|_| invalid(key, value))?;
    }
    Ok(terms)
}

/// When a whole run was begun in vain for the last time, in seconds since 1970.
pub(super) fn begun_in_vain(database: &Connection) -> rusqlite::Result<Option<i64>> {
    if !database::has_table(database, "setting")? {
        return Ok(None);
    }
    let sql = "SELECT CAST(value AS INTEGER) FROM setting WHERE key = ?1";
    database.query_row(sql, [BEGUN_IN_VAIN], |row| row.get(0)).optional()
}

/// Writes the settings. The caller has begun a transaction.
pub(super) fn write(database: &Connection, terms: &EntryTerms) -> rusqlite::Result<()> {
    database.execute("DELETE FROM setting WHERE key <> ?1", [BEGUN_IN_VAIN])?;
    let mut insert = database.prepare("INSERT INTO setting VALUES (?1, ?2)")?;
    for key in EntryKey::ALL {
        if let Some(value) = terms.get(key) {
            insert.execute(params![key.name(), value])?;
        }
    }
    if terms.schedule.is_some() {
        insert.execute(params![SCHEDULED, terms.scheduled.to_string()])?;
    }
    Ok(())
}

/// Changes settings, each to a value or with `None` to its default. The caller has begun a transaction.
pub(super) fn change(
    database: &Connection,
    path: &Path,
    changes: &[(EntryKey, Option<String>)],
) -> Result<(), FileError> {
    let mut terms = read(database, path)?;
    for (key, value) in changes {
        let changed = terms.with(*key, value.as_deref(), database::now());
        terms = changed.map_err(|error| FileError::new(path, error))?;
    }
    write(database, &terms).map_err(|error| database::error(path, &error))
}
