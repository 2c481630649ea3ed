//! The SQLite file: creating, opening, recognising and migrating it.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::FileError;

/// The application id of our files: "dice" in ASCII.
const APPLICATION: i64 = 0x6469_6365;
/// The migration to each version from the one before it.
const MIGRATIONS: [&str; 3] =
    [include_str!("schema.sql"), include_str!("schema-2.sql"), include_str!("schema-3.sql")];
/// The version of the schema after all migrations.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;
/// The message for a file that cannot be written.
const READ_ONLY: &str = "cannot be written: the file or its folder is read-only";
/// How long to wait for the transaction of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Whether a file is opened to read or to write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

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

/// Opens the file at `path`, which must be a hill of a known version, and migrates it if it is opened to write.
pub(super) fn open(path: &Path, access: Access) -> Result<Connection, FileError> {
    if !path.exists() {
        return Err(FileError::new(path, "no such file; `dicehill hill init` makes a new hill"));
    }
    let flags = match access {
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let to_file_error = |failure: rusqlite::Error| match (access, failure.sqlite_error_code()) {
        // The files for the write-ahead log cannot be created.
        (Access::Write, Some(ErrorCode::CannotOpen)) => FileError::new(path, READ_ONLY),
        _ => error(path, &failure),
    };
    let mut database = match access {
        Access::Read => open_to_read(path, flags),
        Access::Write => Connection::open_with_flags(path, flags),
    }
    .map_err(to_file_error)?;
    let number = |pragma: &str| {
        database.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0)).map_err(to_file_error)
    };
    let (application, version) = (number("application_id")?, number("user_version")?);
    if application != APPLICATION {
        return Err(FileError::new(path, "a database of another program, not a hill of dicehill"));
    }
    if version > VERSION {
        return Err(FileError::new(
            path,
            format!("a hill of a newer dicehill: its version is {version}, and {VERSION} is known"),
        ));
    }
    prepare(&database, access).map_err(to_file_error)?;
    if access == Access::Write {
        migrate(&mut database, version as usize).map_err(to_file_error)?;
    }
    Ok(database)
}

/// Opens a file to read. On a read-only medium, where SQLite cannot create its shared memory file, the file is opened as
/// immutable: no other process can change it either.
fn open_to_read(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let database = Connection::open_with_flags(path, flags)?;
    let readable = database.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    match readable.as_ref().map_err(rusqlite::Error::sqlite_error_code) {
        Err(Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) => {
            let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f");
            let name = format!("file:{}?immutable=1", escaped.replace('#', "%23"));
            Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_URI)
        }
        Ok(()) | Err(_) => readable.map(|()| database),
    }
}

fn prepare(database: &Connection, access: Access) -> rusqlite::Result<()> {
    database.busy_timeout(BUSY_TIMEOUT)?;
    // The file may come from an untrusted author: its views and triggers must not call unsafe functions.
    database.pragma_update(None, "trusted_schema", false)?;
    if access == Access::Write {
        database.pragma_update(None, "journal_mode", "wal")?;
        // A committed transaction survives a power failure.
        database.pragma_update(None, "synchronous", "full")?;
        database.pragma_update(None, "foreign_keys", true)?;
        // Few checkpoints that move many pages are faster than many small ones.
        database.pragma_update(None, "wal_autocheckpoint", 1024)?;
    }
    Ok(())
}

/// The version of the file's schema.
pub(super) fn version(database: &Connection) -> rusqlite::Result<i64> {
    database.pragma_query_value(None, "user_version", |row| row.get(0))
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

/// The error of SQLite, in words for users who do not know SQLite.
pub(super) fn error(path: &Path, error: &rusqlite::Error) -> FileError {
    let plain = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "is no hill: not an SQLite database",
        Some(ErrorCode::DatabaseCorrupt) => {
            "is damaged: `sqlite3 FILE \"pragma integrity_check\"` says where"
        }
        Some(ErrorCode::DiskFull) => "the disk is full",
        Some(ErrorCode::ReadOnly) => READ_ONLY,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            return FileError::busy(path, format!("another program writes to it ({error})"));
        }
        _ => return FileError::new(path, error),
    };
    FileError::new(path, format!("{plain} ({error})"))
}

/// Seconds since 1970.
pub(super) fn now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs() as i64)
}
