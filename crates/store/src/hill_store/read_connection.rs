//! Connections that read a store, even if SQLite cannot create its own files next to it.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, ErrorCode, OpenFlags};

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
            self.files.just_changed || !self.files.are_those_of(&now)
        }
    }

    /// Whether the files of a view that does not follow changes have changed, so that an error may come from a mixture of two
    /// states.
    pub(super) fn was_disturbed(&self, path: &Path) -> bool {
        !self.follows_changes && !self.files.are_those_of(&StoreFiles::of(path))
    }
}

/// How close the last change of a file and a look at it may be for a later change to have the same time: the clock of
/// file systems stands still for up to 10 ms.
const SAME_TIME: Duration = Duration::from_millis(50);

/// The files that hold a store: a change of its content changes the size or the time of one.
#[derive(Clone, PartialEq, Eq, Debug)]
struct StoreFiles {
    database: Option<FileStamp>,
    /// The write-ahead log.
    log: Option<FileStamp>,
    /// Whether a file had just been changed, so that the next change may leave its size and time as they are.
    just_changed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FileStamp {
    identity: FileIdentity,
    length: u64,
    modified: Option<SystemTime>,
}

/// Device and inode.
#[cfg(unix)]
type FileIdentity = (u64, u64);

/// When the file was created: the standard library has no number of a file on Windows.
#[cfg(not(unix))]
type FileIdentity = Option<SystemTime>;

#[cfg(unix)]
fn identity(meta: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

#[cfg(not(unix))]
fn identity(meta: &Metadata) -> FileIdentity {
    meta.created().ok()
}

impl StoreFiles {
    fn of(path: &Path) -> Self {
        Self::at(path, SystemTime::now())
    }

    fn at(path: &Path, now: SystemTime) -> Self {
        let mut just_changed = false;
        let mut stamp = |path: &Path| {
            let meta = path.metadata().ok()?;
            just_changed |= meta.modified().is_ok_and(|time| distance(time, now) < SAME_TIME);
            Some(FileStamp {
                identity: identity(&meta),
                length: meta.len(),
                modified: meta.modified().ok(),
            })
        };
        let [database, log] = [stamp(path), stamp(&companion(path, "-wal"))];
        Self { database, log, just_changed }
    }

    fn are_those_of(&self, other: &Self) -> bool {
        (self.database, self.log) == (other.database, other.log)
    }
}

/// The time between two times, in any order.
fn distance(one: SystemTime, other: SystemTime) -> Duration {
    one.duration_since(other).unwrap_or_else(|error| error.duration())
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
    let without_locks = if cfg!(windows) { "vfs=win32-none" } else { "vfs=unix-none" };
    let option = if has_log { without_locks } else { "immutable=1" };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_has_just_changed_may_change_again_unseen() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let time = file.as_file().metadata().and_then(|meta| meta.modified()).expect("a time");
        let view = |now: SystemTime| StoreView {
            files: StoreFiles::at(file.path(), now),
            follows_changes: false,
        };
        for (now, is_outdated) in [
            (time, true),
            (time - Duration::from_millis(10), true),
            (time + Duration::from_millis(10), true),
            (time + Duration::from_secs(1), false),
            (time - Duration::from_secs(1), false),
        ] {
            assert_eq!(view(now).is_outdated(file.path()), is_outdated, "{now:?} of {time:?}");
            assert!(!view(now).was_disturbed(file.path()), "nothing has changed");
        }
        std::fs::write(file.path(), "longer").expect("it is ours");
        let before = StoreView { follows_changes: false, ..StoreView::following(file.path()) };
        std::fs::write(file.path(), "").expect("it is ours");
        assert!(before.was_disturbed(file.path()), "it has changed");
    }
}
