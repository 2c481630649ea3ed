//! The SQLite file: creating, opening, recognising and migrating it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::read_connection::{ReadConnection, companion, connect_to_read, has_companion};
use super::schema_check::first_alteration;
use crate::files::file_kind::{FileKind, hint_of_other_kind};
use crate::{FileError, did_you_mean_file};

/// The application id of our files: "dice" in ASCII.
const APPLICATION: i64 = 0x6469_6365;
/// The migration to each version from the one before it.
const MIGRATIONS: [&str; 6] = [
    include_str!("schema.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
    include_str!("schema-5.sql"),
    include_str!("schema-6.sql"),
];
/// The version of the schema after all migrations.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;
/// The message for a file that cannot be written.
const READ_ONLY: &str = "cannot be written: the file or its folder is read-only";
/// How long to wait for the transaction of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Creates the tables in an empty file, and fills them by `fill`. The file must be discarded unless all of it succeeds: it is
/// written without a journal.
pub(super) fn write_new(
    path: &Path,
    fill: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut database = Connection::open(path)?;
    // A row of games spans several pages of the database, and each costs system calls.
    database.pragma_update(None, "page_size", 16384)?;
    database.pragma_update(None, "journal_mode", "memory")?;
    database.pragma_update(None, "synchronous", "off")?;
    database.pragma_update(None, "application_id", APPLICATION)?;
    migrate(&mut database, 0)?;
    fill(&database)?;
    database.close().map_err(|(_, error)| error)
}

/// Marks a closed database as one with a write-ahead log. `PRAGMA journal_mode = wal` does the same by a transaction with a
/// journal, which a killed process would leave. See <https://sqlite.org/fileformat.html>, section 1.3.
pub(super) fn mark_as_write_ahead(mut file: &File) -> io::Result<()> {
    file.seek(SeekFrom::Start(18))?;
    file.write_all(&[2, 2])
}

/// Opens the hill at `path` to read it.
pub(super) fn open_to_read(path: &Path) -> Result<ReadConnection, FileError> {
    refuse_missing(path)?;
    let to_file_error = |failure: rusqlite::Error| match failure.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) if has_companion(path, "-journal") => {
            let message = "has an unfinished change in the file HILL.db-journal, which cannot be undone because the file or its folder is read-only";
            FileError::new(path, message)
        }
        _ => error(path, &failure),
    };
    let connection = connect_to_read(path).map_err(to_file_error)?;
    recognise(&connection.database, path, &to_file_error)?;
    prepare(&connection.database).map_err(to_file_error)?;
    Ok(connection)
}

/// Opens the hill at `path` to write it, and migrates it.
pub(super) fn open_to_write(path: &Path) -> Result<Connection, FileError> {
    refuse_missing(path)?;
    let to_file_error = |failure: rusqlite::Error| match failure.sqlite_error_code() {
        // The files for the write-ahead log cannot be created.
        Some(ErrorCode::CannotOpen) => FileError::new(path, READ_ONLY),
        _ => error(path, &failure),
    };
    let opened = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
    let mut database = opened.map_err(to_file_error)?;
    let version = recognise(&database, path, &to_file_error)?;
    prepare(&database).and_then(|()| prepare_to_write(&database)).map_err(to_file_error)?;
    migrate(&mut database, version).map_err(to_file_error)?;
    Ok(database)
}

/// The oldest SQLite with which the store is tested, as SQLite writes it: 3.45.3.
const OLDEST_LIBRARY: i32 = 3_045_003;

/// Refuses an older SQLite of the system, and a file that is not there.
fn refuse_missing(path: &Path) -> Result<(), FileError> {
    if rusqlite::version_number() < OLDEST_LIBRARY {
        let message = format!(
            "the SQLite of this machine is {}, and hills need 3.45.3 or later",
            rusqlite::version()
        );
        return Err(FileError::new(path, message));
    }
    if path.exists() {
        return Ok(());
    }
    let similar = did_you_mean_file(path);
    let message = format!("no such file; `dicehill hill init` makes a new hill{similar}");
    Err(FileError::missing(path, message))
}

/// The version of a hill's schema.
///
/// # Errors
/// If the database is not a hill, or one of a newer version, or has another schema.
fn recognise(
    database: &Connection,
    path: &Path,
    to_file_error: &dyn Fn(rusqlite::Error) -> FileError,
) -> Result<usize, FileError> {
    let number = |pragma: &str| {
        let value = database.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        value.map_err(to_file_error)
    };
    let (application, version) = (number("application_id")?, number("user_version")?);
    if application != APPLICATION {
        let is_empty = path.metadata().is_ok_and(|meta| meta.len() == 0);
        let message = if is_empty {
            "is empty: not a hill"
        } else {
            "a database of another program, not a hill of dicehill"
        };
        return Err(FileError::new(path, message));
    }
    if !(1..=VERSION).contains(&version) {
        let message = match version {
            ..1 => format!("not a hill: its version is {version}"),
            _ => format!(
                "a hill of a newer dicehill: its version is {version}, and this dicehill supports up to {VERSION}"
            ),
        };
        return Err(FileError::new(path, message));
    }
    let version = version as usize;
    match first_alteration(database, &MIGRATIONS[..version]).map_err(to_file_error)? {
        Some(alteration) => {
            let remedy = "restore a backup with `dicehill hill restore`";
            Err(FileError::altered(path, None, format!("its schema: {alteration}: {remedy}")))
        }
        None => Ok(version),
    }
}

fn prepare(database: &Connection) -> rusqlite::Result<()> {
    database.busy_timeout(BUSY_TIMEOUT)?;
    // The file may come from an untrusted author: its views and triggers must not call unsafe functions.
    database.pragma_update(None, "trusted_schema", false)
}

fn prepare_to_write(database: &Connection) -> rusqlite::Result<()> {
    database.pragma_update(None, "journal_mode", "wal")?;
    // A committed transaction survives a power failure.
    database.pragma_update(None, "synchronous", "full")?;
    database.pragma_update(None, "foreign_keys", true)?;
    // Few checkpoints that move many pages are faster than many small ones.
    database.pragma_update(None, "wal_autocheckpoint", 1024)
}

/// The version of the file's schema.
pub(super) fn version(database: &Connection) -> rusqlite::Result<i64> {
    database.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Whether there is such a table. One of an older schema may lack it.
pub(super) fn has_table(database: &Connection, name: &str) -> rusqlite::Result<bool> {
    database.table_exists(None::<&str>, name)
}

/// Whether there is such a column.
pub(super) fn has_column(database: &Connection, table: &str, column: &str) -> bool {
    database.column_exists(None::<&str>, table, column).unwrap_or_default()
}

/// A value of a column that a store opened to read may lack.
pub(super) fn since_version_5<T: rusqlite::types::FromSql>(
    row: &rusqlite::Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    match row.get(column) {
        Err(rusqlite::Error::InvalidColumnName(_)) => Ok(None),
        found => found.map(Some),
    }
}

/// Applies the migrations after version `from`, each in a transaction.
fn migrate(database: &mut Connection, from: usize) -> rusqlite::Result<()> {
    for (version, migration) in MIGRATIONS.iter().enumerate().skip(from) {
        let transaction = database.transaction()?;
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", version as i64 + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

/// What is wrong with the file structure of a database or of one of its tables, in SQLite's words; `None` if nothing is.
pub(super) fn first_damage(
    database: &Connection,
    table: Option<&str>,
) -> rusqlite::Result<Option<String>> {
    let sql = match table {
        Some(table) => format!("PRAGMA integrity_check('{table}')"),
        None => "PRAGMA integrity_check".to_owned(),
    };
    let found: String = database.query_row(&sql, [], |row| row.get(0))?;
    Ok((found != "ok").then_some(found))
}

/// Refuses a database in which the structure of one of these tables is damaged.
pub(super) fn refuse_damaged(
    database: &Connection,
    path: &Path,
    tables: &[&str],
) -> Result<(), FileError> {
    for table in tables {
        let damage = first_damage(database, Some(table));
        if let Some(damage) = damage.map_err(|failure| error(path, &failure))? {
            let message = format!("is damaged: its table {table}: {damage}");
            return Err(FileError::new(path, message));
        }
    }
    Ok(())
}

/// What is wrong with a value that is not of the kind that is written there; `None` of other errors.
pub(super) fn unreadable_value(error: &rusqlite::Error) -> Option<String> {
    if let rusqlite::Error::Utf8Error(_, why) = error {
        Some(format!("no text: {why}"))
    } else if let rusqlite::Error::FromSqlConversionFailure(_, _, why) = error {
        Some(why.to_string())
    } else if let rusqlite::Error::InvalidColumnType(_, column, kind) = error {
        Some(format!("{column} is of the type {kind}"))
    } else if let rusqlite::Error::IntegralValueOutOfRange(_, value) = error {
        Some(format!("{value} is out of range"))
    } else {
        None
    }
}

/// The error of SQLite, in words for users who do not know SQLite.
pub(super) fn error(path: &Path, error: &rusqlite::Error) -> FileError {
    if let Some(why) = unreadable_value(error) {
        let message = format!(
            "a value was altered or damaged: {why}; restore a backup with `dicehill hill restore`"
        );
        return FileError::altered(path, None, message);
    }
    let plain = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            let hint = hint_of_other_kind(path, FileKind::Hill);
            let message = format!("is not a hill: not an SQLite database ({error}){hint}");
            return FileError::new(path, message);
        }
        Some(ErrorCode::CannotOpen) => return cannot_open(path, error),
        Some(ErrorCode::DatabaseCorrupt) => {
            "is damaged: use a backup that is whole, which `dicehill hill restore` makes a hill of; `sqlite3 FILE \"pragma integrity_check\"` shows where"
        }
        Some(ErrorCode::DiskFull) => {
            let message = format!("the disk is full ({error})");
            return FileError::new(path, message).into_full_error();
        }
        Some(ErrorCode::SystemIoFailure) => {
            let message = format!("the system could not read or write it ({error})");
            return FileError::new(path, message).into_arena_error();
        }
        Some(ErrorCode::ReadOnly) => READ_ONLY,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            return FileError::busy(path, format!("another program writes to it ({error})"));
        }
        _ => return FileError::new(path, error),
    };
    FileError::new(path, format!("{plain} ({error})"))
}

/// The error of the system, if it refuses the file: SQLite does not say why.
fn cannot_open(path: &Path, error: &rusqlite::Error) -> FileError {
    if let Err(refused) = File::open(path) {
        return FileError::new(path, refused);
    }
    if path.is_dir() {
        return FileError::new(
            path,
            "is a folder, not a file: name the file of a hill, such as spring.db",
        );
    }
    let log = companion(path, "-wal");
    match File::open(&log) {
        Err(refused) if refused.kind() == io::ErrorKind::PermissionDenied => {
            FileError::new(&log, refused)
        }
        Ok(_) | Err(_) => FileError::new(path, error),
    }
}

/// Seconds since 1970.
pub(super) fn now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn a_read_error_is_a_fault_of_the_machine_and_no_damage() {
        let of = |code| {
            let failure = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            error(Path::new("h.db"), &failure)
        };
        for code in [ffi::SQLITE_IOERR_READ, ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR] {
            let error = of(code);
            assert!(error.is_arena_error() && !error.to_string().contains("damaged"), "{error}");
        }
        assert!(of(ffi::SQLITE_CORRUPT).to_string().contains("damaged"));
        assert!(!of(ffi::SQLITE_CORRUPT).is_arena_error());
    }
}
