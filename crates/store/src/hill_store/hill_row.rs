//! The table `hill`: one row with the settings of the hill.

use std::path::Path;

use dicehill_arena::{FormatName, Limits, Memory};
use rusqlite::{Connection, Row, params};

use super::database;
use crate::{FileError, HillSettings};

/// Inserts the row into an empty table.
pub(super) fn insert(hill: &HillSettings, database: &Connection) -> rusqlite::Result<()> {
    let limits = hill.limits;
    database.execute(
        "INSERT INTO hill VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        params![
            hill.name,
            hill.game.name(),
            hill.rules,
            hill.format.name(),
            hill.seats,
            hill.challenger,
            hill.games,
            hill.memory.name(),
            limits.start_ms as i64,
            limits.move_ms as i64,
            limits.memory_mb as i64,
            hill.seed,
            database::now(),
        ],
    )?;
    Ok(())
}

/// Reads and checks the row.
///
/// # Errors
/// If it is missing or one of its values is unknown.
pub(super) fn read(database: &Connection, path: &Path) -> Result<HillSettings, FileError> {
    let raw = database.query_row("SELECT * FROM hill WHERE id = 1", [], HillRow::read);
    raw.map_err(|error| database::error(path, &error))?.check(path)
}

/// The row before its values are checked.
struct HillRow {
    name: String,
    game: String,
    rules: String,
    format: String,
    seats: Option<i64>,
    challenger: Option<String>,
    games: i64,
    memory: String,
    limits: [i64; 3],
    seed: Option<String>,
}

impl HillRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            name: row.get("name")?,
            game: row.get("game")?,
            rules: row.get("rules")?,
            format: row.get("format")?,
            seats: row.get("seats")?,
            challenger: row.get("challenger")?,
            games: row.get("games")?,
            memory: row.get("memory")?,
            limits: [row.get("start_ms")?, row.get("move_ms")?, row.get("memory_mb")?],
            seed: row.get("seed")?,
        })
    }

    fn check(self, path: &Path) -> Result<HillSettings, FileError> {
        let unknown = |key: &str, value: &str| {
            FileError::new(path, format!("its table hill has {key} = {value:?}: unknown"))
        };
        let format = FormatName::ALL.into_iter().find(|format| format.name() == self.format);
        let memory = Memory::ALL.into_iter().find(|memory| memory.name() == self.memory);
        let [start_ms, move_ms, memory_mb] = self.limits.map(|limit| limit.max(1).unsigned_abs());
        Ok(HillSettings {
            game: self.game.parse().map_err(|_| unknown("game", &self.game))?,
            format: format.ok_or_else(|| unknown("format", &self.format))?,
            memory: memory.ok_or_else(|| unknown("memory", &self.memory))?,
            name: self.name,
            rules: self.rules,
            seats: self.seats,
            challenger: self.challenger,
            strengths: None,
            games: self.games,
            limits: Limits { start_ms, move_ms, memory_mb },
            seed: self.seed,
            until: None,
        })
    }
}
