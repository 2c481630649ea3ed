//! Pages read in order.

use rusqlite::types::Type;
use rusqlite::{Row, params};

use super::GamePage;
use super::game_page::hash_of_page;
use crate::FileError;
use crate::hill_store::{HillStore, database};

/// The columns from which [`page_of`] reads a page.
pub(in crate::hill_store) const COLUMNS: &str = "first, last, games, times, checks, hash";

/// The page in a row that starts with [`COLUMNS`].
pub(in crate::hill_store) fn page_of(row: &Row<'_>) -> rusqlite::Result<GamePage> {
    read_page(row).map_err(|error| in_page(row, error))
}

/// The error with the place of the page, if it is about a value.
fn in_page(row: &Row<'_>, error: rusqlite::Error) -> rusqlite::Error {
    match (database::unreadable_value(&error), row.get::<_, i64>(0)) {
        (Some(why), Ok(first)) => {
            let place = format!("the page with the games from {first} on: {why}");
            rusqlite::Error::FromSqlConversionFailure(0, Type::Text, place.into())
        }
        (_, _) => error,
    }
}

fn read_page(row: &Row<'_>) -> rusqlite::Result<GamePage> {
    let number = |column: usize| row.get::<_, i64>(column).map(i64::unsigned_abs);
    Ok(GamePage {
        first: number(0)?,
        last: number(1)?,
        games: row.get(2)?,
        times: row.get(3)?,
        checks: row.get(4)?,
        hash: row.get(5)?,
    })
}

/// The hash that the page in a row that starts with [`COLUMNS`] must have after a page with the hash `previous`. Its games are not
/// copied.
pub(in crate::hill_store) fn page_hash(
    row: &Row<'_>,
    previous: &[u8; 32],
) -> rusqlite::Result<[u8; 32]> {
    let number = |column: usize| row.get::<_, i64>(column).map(i64::unsigned_abs);
    let bytes = |column: usize| Ok::<_, rusqlite::Error>(row.get_ref(column)?.as_bytes_or_null()?);
    let parts = [bytes(2)?, bytes(3)?, bytes(4)?];
    Ok(hash_of_page(previous, [number(0)?, number(1)?], parts))
}

impl HillStore {
    /// Calls `each` with the pages of an attempt, in order. Attempt 0 are the games before the first bar.
    ///
    /// # Errors
    /// If the store cannot be read, and the errors of `each`.
    pub fn each_page<E: From<FileError>>(
        &self,
        run: i64,
        attempt: i64,
        each: impl FnMut(GamePage) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_page_from(run, attempt, 1, each)
    }

    /// Like [`HillStore::each_page`], from the first page on whose first game is `first` or a later one.
    ///
    /// # Errors
    /// If the store cannot be read, and the errors of `each`.
    pub fn each_page_from<E: From<FileError>>(
        &self,
        run: i64,
        attempt: i64,
        first: u64,
        mut each: impl FnMut(GamePage) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!(
            "SELECT {COLUMNS} FROM page WHERE run = ?1 AND attempt = ?2 AND first >= ?3 ORDER BY first"
        );
        let mut statement = self.database.prepare(&sql).map_err(self.to_file_error())?;
        let mut rows =
            statement.query(params![run, attempt, first as i64]).map_err(self.to_file_error())?;
        while let Some(row) = rows.next().map_err(self.to_file_error())? {
            each(page_of(row).map_err(self.to_file_error())?)?;
        }
        Ok(())
    }
}
