//! Connections that read a store, even if SQLite cannot create its own files next to it.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

/// The suffixes of the files that SQLite keeps next to a database.
pub(super) const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// A connection that reads a store.
pub(super) struct ReadConnection {
    pub(super) database: Connection,
    pub(super) view: StoreView,
}

/// What a connection sees of its store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StoreView {
    /// The files when the connection was opened.
    files: StoreFiles,
    /// Whether the connection sees what others write. It does not where SQLite can neither lock nor share memory.
    follows_changes: bool,
}

impl StoreView {
    /// The view of a connection to `path` that sees what others write.
    pub(super) fn following(path: &Path) -> Self {
        Self { files: StoreFiles::of(path), follows_changes: true }
    }

    /// Whether the store at `path` must be opened again to see what it holds now: another file has its name, or the files
    /// of a view that does not follow changes have changed.
    pub(super) fn is_outdated(&self, path: &Path) -> bool {
        let now = StoreFiles::of(path);
        if self.follows_changes {
            now.database.map(|file| file.identity) != self.files.database.map(|file| file.identity)
        } else {
            now != self.files
        }
    }

    /// Whether what was read may be a mixture of two states.
    pub(super) fn was_disturbed(&self, path: &Path) -> bool {
        !self.follows_changes && self.is_outdated(path)
    }
}

/// The files that hold a store: a change of its content changes the size or the time of one.
#[derive(Clone, PartialEq, Eq, Debug)]
struct StoreFiles {
    database: Option<FileStamp>,
    /// The write-ahead log.
    log: Option<FileStamp>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FileStamp {
    /// Device and inode.
    identity: (u64, u64),
    length: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
}

impl StoreFiles {
    fn of(path: &Path) -> Self {
        let stamp = |path: &Path| {
            let meta = path.metadata().ok()?;
            Some(FileStamp {
                identity: (meta.dev(), meta.ino()),
                length: meta.len(),
                modified: (meta.mtime(), meta.mtime_nsec()),
            })
        };
        Self { database: stamp(path), log: stamp(&companion(path, "-wal")) }
    }
}

/// The file that SQLite keeps next to a database, for example with the suffix `-wal`.
pub(super) fn companion(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Whether SQLite keeps content of the database in the file with this suffix.
pub(super) fn has_companion(path: &Path, suffix: &str) -> bool {
    companion(path, suffix).metadata().is_ok_and(|meta| meta.len() > 0)
}

/// Opens a database to read.
pub(super) fn connect_to_read(path: &Path) -> rusqlite::Result<ReadConnection> {
    let mut view = StoreView::following(path);
    // A connection that may write, if it is the last, removes the files of the write-ahead log when it is closed.
    let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let database = match probe(&database) {
        Ok(()) => {
            database.pragma_update(None, "query_only", true)?;
            database
        }
        Err(error) if is_denied(&error) && !has_companion(path, "-journal") => {
            drop(database);
            view.follows_changes = false;
            connect_without_locks(path)?
        }
        Err(error) => return Err(error),
    };
    Ok(ReadConnection { database, view })
}

/// Whether SQLite was not allowed to create the files that it needs.
fn is_denied(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Opens a database where SQLite's shared memory file cannot be created, as on a read-only medium. A write-ahead log that is
/// there is read, with its index in the memory of this process.
pub(super) fn connect_without_locks(path: &Path) -> rusqlite::Result<Connection> {
    let escaped =
        path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let has_log = has_companion(path, "-wal");
    let option = if has_log { "vfs=unix-none" } else { "immutable=1" };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let database = Connection::open_with_flags(format!("file:{escaped}?{option}"), flags)?;
    if has_log {
        // This mode needs no shared memory.
        database.pragma_update(None, "locking_mode", "exclusive")?;
    }
    probe(&database)?;
    Ok(database)
}

/// Reads the database, which opening does not do yet.
fn probe(database: &Connection) -> rusqlite::Result<()> {
    database.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}
