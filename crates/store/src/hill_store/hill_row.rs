//! The table `hill`: one row with the settings of the hill.

use std::error::Error;
use std::path::Path;
use std::str::FromStr;

use dicehill_arena::{Limits, Terms};
use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, Row, params};

use super::{database, setting_rows};
use crate::{EntryTerms, FileError, HillSettings};

/// Inserts the row into an empty table.
pub(super) fn insert(hill: &HillSettings, database: &Connection) -> rusqlite::Result<()> {
    let HillSettings { terms, limits, .. } = hill;
    database.execute(
        "INSERT INTO hill (id, name, game, rules, format, seats, challenger, games, memory, start_ms, move_ms,
             memory_mb, seed, created, game_ms, run_ms, open_seed)
         VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        params![
            terms.name,
            terms.game,
            terms.rules,
            terms.format.name(),
            terms.seats,
            terms.challenger,
            hill.games,
            terms.memory.name(),
            limits.start_ms as i64,
            limits.move_ms as i64,
            limits.memory_mb as i64,
            terms.seed,
            database::now(),
            limits.game_ms.map(|ms| ms as i64),
            limits.run_ms.map(|ms| ms as i64),
            hill.open_seed,
        ],
    )?;
    let entries = hill.entries.clone();
    let scheduled = entries.schedule.as_ref().map_or(0, |_| database::now());
    setting_rows::write(database, &EntryTerms { scheduled, ..entries })
}

/// Replaces the limits.
pub(super) fn set_limits(limits: Limits, database: &Connection) -> rusqlite::Result<()> {
    let Limits { start_ms, move_ms, memory_mb, game_ms, run_ms } = limits;
    let all = [Some(start_ms), Some(move_ms), Some(memory_mb), game_ms, run_ms];
    database.execute(
        "UPDATE hill SET start_ms = ?1, move_ms = ?2, memory_mb = ?3, game_ms = ?4, run_ms = ?5",
        all.map(|limit| limit.map(|limit| limit as i64)),
    )?;
    Ok(())
}

/// Reads and checks the row.
///
/// # Errors
/// If it is missing or one of its values is unknown.
pub(super) fn read(database: &Connection, path: &Path) -> Result<HillSettings, FileError> {
    let entries = setting_rows::read(database, path)?;
    let read = database.query_row("SELECT * FROM hill WHERE id = 1", [], settings);
    let with_entries = |mut settings: HillSettings| {
        settings.entries = entries;
        settings
    };
    read.map(with_entries).map_err(|error| {
        if let rusqlite::Error::FromSqlConversionFailure(_, _, why) = &error {
            return FileError::new(path, format!("its table hill has {why}"));
        }
        database::error(path, &error)
    })
}

fn settings(row: &Row<'_>) -> rusqlite::Result<HillSettings> {
    let terms = Terms {
        name: row.get("name")?,
        game: row.get("game")?,
        rules: row.get("rules")?,
        format: parsed(row, "format")?,
        seats: row.get("seats")?,
        challenger: row.get("challenger")?,
        strengths: None,
        memory: parsed(row, "memory")?,
        seed: row.get("seed")?,
    };
    // No limit is negative; 0 is refused below.
    let limit = |key| row.get::<_, i64>(key).map(|limit| limit.max(0).unsigned_abs());
    let optional = |key| -> rusqlite::Result<Option<u64>> {
        let found: Option<i64> = since_version_3(row, key)?;
        Ok(found.map(|limit| limit.max(0).unsigned_abs()))
    };
    let limits = Limits {
        start_ms: limit("start_ms")?,
        move_ms: limit("move_ms")?,
        memory_mb: limit("memory_mb")?,
        game_ms: optional("game_ms")?,
        run_ms: optional("run_ms")?,
    };
    let limits = limits.checked().map_err(unknown)?;
    let mut settings =
        HillSettings::new(terms, row.get("games")?, limits, None).map_err(unknown)?;
    settings.open_seed = since_version_3(row, "open_seed")?.unwrap_or_default();
    Ok(settings)
}

/// The value that the text in this column names.
fn parsed<T: FromStr<Err: Error + Send + Sync + 'static>>(
    row: &Row<'_>,
    key: &str,
) -> rusqlite::Result<T> {
    row.get::<_, String>(key)?.parse().map_err(unknown)
}

fn unknown(error: impl Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}

/// A value that may be null, of a column that a store opened to read may lack.
fn since_version_3<T: FromSql>(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<T>> {
    match row.get(column) {
        Err(rusqlite::Error::InvalidColumnName(_)) => Ok(None),
        found => found,
    }
}
