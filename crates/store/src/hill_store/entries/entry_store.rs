//! The tokens and entries of a hill, read and written while another process plays.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::FileError;
use crate::hill_store::database;
use crate::hill_store::store::lock;

/// The first version of the schema with tokens and entries.
const FIRST_VERSION: i64 = 2;
/// The pause between two attempts to write. The process that plays a run holds the write lock most of the time, with gaps of
/// a millisecond, which rare attempts would miss.
const PAUSE: Duration = Duration::from_micros(200);
/// Attempts before writing fails: about ten seconds of them.
const MAX_ATTEMPTS: i32 = 50_000;

/// The tokens and entries in the store of a hill.
pub struct EntryStore {
    pub(super) path: PathBuf,
    pub(super) database: Connection,
}

impl EntryStore {
    /// Opens the store to write tokens and entries, even while another process plays a run on the hill.
    ///
    /// A store with an older schema is migrated first, which requires that no process plays on it.
    ///
    /// # Errors
    /// If there is no such hill, it cannot be written, or it must be migrated and another process plays on it, for which
    /// [`FileError::is_busy`] holds.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let version = database::version(&database::open_to_read(path)?.database);
        let is_old = version.map_err(|error| database::error(path, &error))? < database::VERSION;
        let _lock = if is_old { Some(lock(path)?) } else { None };
        let mut database = database::open_to_write(path)?;
        let waiting = database.busy_handler(Some(|attempts| {
            thread::sleep(PAUSE);
            attempts < MAX_ATTEMPTS
        }));
        waiting.map_err(|error| database::error(path, &error))?;
        Ok(Self { path: path.to_owned(), database })
    }

    /// Opens the store to read tokens and entries. A store with an older schema has none.
    ///
    /// # Errors
    /// If there is no such hill, or it cannot be read.
    pub fn open_to_read(path: &Path) -> Result<Self, FileError> {
        let failed = |error| database::error(path, &error);
        let database = database::open_to_read(path)?.database;
        if database::version(&database).map_err(failed)? < FIRST_VERSION {
            database.execute_batch(EMPTY).map_err(failed)?;
        }
        Ok(Self { path: path.to_owned(), database })
    }

    /// Checks the structure of the tables of tokens and entries: damage there could hide rows.
    ///
    /// # Errors
    /// If one is damaged, or the store cannot be read.
    pub fn check_lists(&self) -> Result<(), FileError> {
        database::refuse_damaged(&self.database, &self.path, &["token", "entry"])
    }

    /// Checks that the store can be written now, by a transaction that changes nothing.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_writable(&mut self) -> Result<(), FileError> {
        let path = self.path.clone();
        let check = |store: &mut Self| -> rusqlite::Result<()> {
            let transaction = store.begin()?;
            transaction.execute("UPDATE hill SET id = id WHERE id = 1", [])?;
            transaction.rollback()
        };
        check(self).map_err(|error| database::error(&path, &error))
    }

    /// How many entries are in each state.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn counts(&self) -> Result<Vec<(String, u64)>, FileError> {
        let read = || -> rusqlite::Result<Vec<(String, u64)>> {
            let sql = "SELECT state, count(*) FROM entry GROUP BY state ORDER BY state";
            let mut statement = self.database.prepare(sql)?;
            let row =
                |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()));
            statement.query_map([], row)?.collect()
        };
        read().map_err(self.to_file_error())
    }

    /// How many failures of bots the runs have recorded, and how many bars, by reason.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn failure_counts(&self) -> Result<Vec<(String, [u64; 2])>, FileError> {
        let read = || -> rusqlite::Result<Vec<(String, [u64; 2])>> {
            let sql = "SELECT reason, sum(failed), sum(barred) FROM (
                 SELECT reason, 1 AS failed, 0 AS barred FROM failure
                 UNION ALL SELECT json_extract(bar, '$.reason'), 0, 1 FROM bar)
                 WHERE reason IS NOT NULL GROUP BY reason ORDER BY reason";
            let number =
                |row: &rusqlite::Row<'_>, column| row.get::<_, i64>(column).map(i64::unsigned_abs);
            let row =
                |row: &rusqlite::Row<'_>| Ok((row.get(0)?, [number(row, 1)?, number(row, 2)?]));
            self.database.prepare(sql)?.query_map([], row)?.collect()
        };
        read().map_err(self.to_file_error())
    }

    /// Begins a transaction with the write lock, so that no other connection writes before it ends.
    pub(super) fn begin(&mut self) -> rusqlite::Result<Transaction<'_>> {
        self.database.transaction_with_behavior(TransactionBehavior::Immediate)
    }

    /// Turns an error of SQLite into one that names the store.
    pub(super) fn to_file_error(&self) -> impl Fn(rusqlite::Error) -> FileError + '_ {
        |error| database::error(&self.path, &error)
    }
}

/// Empty tables in place of those that an older store lacks, visible to this connection alone.
const EMPTY: &str = "
    PRAGMA query_only = false;
    CREATE TEMP TABLE token (id, name, hash, made, expires, uses, used, revoked);
    CREATE TEMP TABLE entry (id, token, bot, received, state, report, run);
    PRAGMA query_only = true;";
