//! The store of a hill, opened to read or to write.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use dicehill_temporary::DraftFile;
use rusqlite::Connection;

use super::{database, hill_row};
use crate::files::locked_file::LockedFile;
use crate::{FileError, HillSettings};

/// A hill on disk.
pub struct HillStore {
    pub(super) path: PathBuf,
    // Fields are dropped in order, so that the database is closed before the lock is released.
    pub(crate) database: Connection,
    pub(super) lock: Option<LockedFile>,
    hill: HillSettings,
}

impl HillStore {
    /// The message of the error when another process plays on the hill.
    pub const BUSY_MESSAGE: &'static str =
        "another dicehill plays on this hill; wait until it is done";

    /// Creates the store of a new hill, and locks it. The file appears complete or not at all, even if the process is killed
    /// or the disk is full.
    ///
    /// # Errors
    /// If `path` exists, or cannot be written.
    pub fn create(path: &Path, hill: &HillSettings) -> Result<Self, FileError> {
        let failed = |error: io::Error| {
            if error.kind() == ErrorKind::AlreadyExists {
                return FileError::new(path, "is there already: a new hill begins with a new file");
            }
            FileError::new(path, error)
        };
        if path.symlink_metadata().is_ok() {
            return Err(failed(ErrorKind::AlreadyExists.into()));
        }
        let draft = DraftFile::new_private(path).map_err(failed)?;
        let written =
            database::write_new(draft.path(), |transaction| hill_row::insert(hill, transaction));
        written.map_err(|error| database::error(path, &error))?;
        let lock = LockedFile::new(draft.persist_new().map_err(failed)?);
        let database = database::open(path, database::Access::Write)?;
        Ok(Self { path: path.to_owned(), database, lock: Some(lock), hill: hill.clone() })
    }

    /// Opens a store to read, even while another process plays a run on it.
    ///
    /// # Errors
    /// If there is no store, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let database = database::open(path, database::Access::Read)?;
        Self::read(path, database, None)
    }

    /// Opens a store to play a run, and locks it. Only one process at a time can play on a hill.
    ///
    /// # Errors
    /// If there is no store, it cannot be written, or another process plays on it, for which [`FileError::is_busy`] holds.
    pub fn open_to_write(path: &Path) -> Result<Self, FileError> {
        // A file that is not a store is reported as such before it is locked.
        drop(database::open(path, database::Access::Read)?);
        let lock = lock(path)?;
        let database = database::open(path, database::Access::Write)?;
        Self::read(path, database, Some(lock))
    }

    fn read(
        path: &Path,
        database: Connection,
        lock: Option<LockedFile>,
    ) -> Result<Self, FileError> {
        let hill = hill_row::read(&database, path)?;
        Ok(Self { path: path.to_owned(), database, lock, hill })
    }

    /// The path of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The settings of the hill.
    #[must_use]
    pub const fn hill(&self) -> &HillSettings {
        &self.hill
    }

    /// A number that differs after another connection has changed the store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn data_version(&self) -> Result<i64, FileError> {
        self.database
            .pragma_query_value(None, "data_version", |row| row.get(0))
            .map_err(self.to_file_error())
    }

    /// Whether a process plays a run on the hill, by the locks that Linux lists; `None` on systems without that list.
    #[must_use]
    pub fn is_locked(&self) -> Option<bool> {
        use std::os::unix::fs::MetadataExt;
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
        let inode = format!(":{}", std::fs::metadata(&self.path).ok()?.ino());
        // `1: FLOCK  ADVISORY  WRITE 4242 fe:00:1234 0 EOF`, the file as major, minor and inode.
        let is_lock = |line: &str| {
            let mut words = line.split_whitespace().skip(1);
            let kind = words.next();
            kind == Some("FLOCK") && words.nth(3).is_some_and(|file| file.ends_with(&inode))
        };
        Some(locks.lines().any(is_lock))
    }

    /// Turns an error of SQLite into one that names the store.
    pub(crate) fn to_file_error(&self) -> impl Fn(rusqlite::Error) -> FileError + '_ {
        |error| database::error(&self.path, &error)
    }
}

/// Locks the file itself: the system releases the lock however the process ends.
pub(super) fn lock(path: &Path) -> Result<LockedFile, FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    let file = File::open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(LockedFile::new(file)),
        Err(TryLockError::WouldBlock) => Err(FileError::busy(path, HillStore::BUSY_MESSAGE)),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
