//! The store of a hill, opened to read or to write.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use dicehill_temporary::DraftFile;
use rusqlite::Connection;

use super::read_connection::{ReadConnection, StoreView, companion};
use super::{database, hill_row, setting_rows};
use crate::files::file_kind::SIDE_FILES;
use crate::files::locked_file::LockedFile;
use crate::{EntryTerms, FileError, HillSettings};

/// The [`HillStore::data_version`] of a store that must be opened again; SQLite's are positive.
const OUTDATED: i64 = -1;

/// A hill on disk.
pub struct HillStore {
    pub(super) path: PathBuf,
    // Fields are dropped in order, so that the database is closed before the lock is released.
    pub(crate) database: Connection,
    pub(super) lock: Option<LockedFile>,
    pub(super) view: StoreView,
    hill: HillSettings,
}

impl HillStore {
    /// The message of the error when another process plays on the hill.
    pub const BUSY_MESSAGE: &'static str =
        "another dicehill is playing on this hill; wait until it is done";

    /// Creates the store of a new hill. The file appears complete or not at all, even if the process is killed or the disk is
    /// full, and without further files next to it.
    ///
    /// # Errors
    /// If `path` exists, a file that SQLite keeps for a hill of this name was left there, or it cannot be written.
    pub fn init(path: &Path, hill: &HillSettings) -> Result<(), FileError> {
        write_new_file(path, hill).map(drop)
    }

    /// Creates the store of a new hill like [`HillStore::init`], locks it and opens it to write.
    ///
    /// # Errors
    /// Like [`HillStore::init`].
    pub fn create(path: &Path, hill: &HillSettings) -> Result<Self, FileError> {
        let lock = write_new_file(path, hill)?;
        let database = database::open_to_write(path)?;
        let (view, lock) = (StoreView::following(path), Some(lock));
        Ok(Self { path: path.to_owned(), database, lock, view, hill: hill.clone() })
    }

    /// Opens a store to read, even while another process plays a run on it. Where the folder cannot be written, what is
    /// written later may stay unseen until [`HillStore::reopen_if_outdated`] is called.
    ///
    /// # Errors
    /// If there is no store, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let ReadConnection { database, view } = database::open_to_read(path)?;
        let hill = hill_row::read(&database, path)?;
        Ok(Self { path: path.to_owned(), database, lock: None, view, hill })
    }

    /// Opens a store to play a run, and locks it. Only one process at a time can play on a hill.
    ///
    /// # Errors
    /// If there is no store, it cannot be written, or another process plays on it, for which [`FileError::is_busy`] holds.
    pub fn open_to_write(path: &Path) -> Result<Self, FileError> {
        // A file that is not a store is reported as such before it is locked.
        drop(database::open_to_read(path)?.database);
        let lock = Some(lock(path)?);
        let database = database::open_to_write(path)?;
        let (view, hill) = (StoreView::following(path), hill_row::read(&database, path)?);
        Ok(Self { path: path.to_owned(), database, lock, view, hill })
    }

    /// Opens a store that was opened to read once more if what it shows is outdated: another file has its name now, or its
    /// folder cannot be written, so that SQLite has no means to notice the changes of other processes.
    ///
    /// # Errors
    /// If it can no longer be read.
    pub fn reopen_if_outdated(&mut self) -> Result<(), FileError> {
        if self.is_outdated() {
            *self = Self::open(&self.path)?;
        }
        Ok(())
    }

    /// Checks the structure of the tables that are listed rather than hashed: damage there could hide rows.
    ///
    /// # Errors
    /// If one is damaged, or the store cannot be read.
    pub fn check_lists(&self) -> Result<(), FileError> {
        let tables = ["hill", "entrant", "version", "run", "run_bot", "bar"];
        database::refuse_damaged(&self.database, &self.path, &tables)
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

    /// How entries are taken now, and when runs are played: unlike other settings, the host may have changed it since the store was
    /// opened.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn entry_terms(&self) -> Result<EntryTerms, FileError> {
        setting_rows::read(&self.database, &self.path)
    }

    /// When the hill was created, in seconds since 1970.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn created(&self) -> Result<i64, FileError> {
        let created = self.database.query_row("SELECT created FROM hill", [], |row| row.get(0));
        created.map_err(self.to_file_error())
    }

    /// A number that differs after another connection has changed the store. Call [`HillStore::reopen_if_outdated`] before the
    /// store is read again.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn data_version(&self) -> Result<i64, FileError> {
        if self.is_outdated() {
            return Ok(OUTDATED);
        }
        self.database
            .pragma_query_value(None, "data_version", |row| row.get(0))
            .map_err(self.to_file_error())
    }

    /// Whether another connection has changed the store since it had this [`HillStore::data_version`]. A store that must be
    /// opened again has always changed: what it showed when its version was asked for may have been older.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn has_changed_since(&self, version: i64) -> Result<bool, FileError> {
        let now = self.data_version()?;
        Ok(now == OUTDATED || now != version)
    }

    /// Whether the store must be [opened again](Self::reopen_if_outdated). Where its folder cannot be written, SQLite has no
    /// means to keep other processes from writing while it reads: what an outdated store has shown may be a mixture of two
    /// states.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        self.view.is_outdated(&self.path)
    }

    /// Whether an error may come from a mixture of two states.
    pub(crate) fn was_disturbed(&self) -> bool {
        self.view.was_disturbed(&self.path)
    }

    /// Whether a process plays a run on the hill, by the locks that Linux lists; `None` on systems without that list.
    #[cfg(unix)]
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

    /// Whether a process plays a run on the hill, by the locks that Linux lists; `None` on systems without that list.
    #[cfg(not(unix))]
    #[must_use]
    pub const fn is_locked(&self) -> Option<bool> {
        None
    }

    /// Turns an error of SQLite into one that names the store.
    pub(crate) fn to_file_error(&self) -> impl Fn(rusqlite::Error) -> FileError + '_ {
        |error| {
            if self.was_disturbed() {
                return self.disturbed();
            }
            database::error(&self.path, &error)
        }
    }

    /// The error of a reader that [was disturbed](Self::was_disturbed).
    pub(crate) fn disturbed(&self) -> FileError {
        FileError::busy(&self.path, "was changed while it was being read: try again")
    }
}

/// Writes the file of a new hill, and locks it.
fn write_new_file(path: &Path, hill: &HillSettings) -> Result<LockedFile, FileError> {
    let failed = |error: io::Error| {
        if error.kind() == ErrorKind::AlreadyExists {
            return FileError::new(path, "already exists: a new hill needs a new file");
        }
        FileError::not_written(path, &error)
    };
    if path.symlink_metadata().is_ok() {
        return Err(failed(ErrorKind::AlreadyExists.into()));
    }
    refuse_leftovers(path)?;
    let mut draft = DraftFile::new_private(path).map_err(failed)?;
    let written =
        database::write_new(draft.path(), |transaction| hill_row::insert(hill, transaction));
    written.map_err(|error| database::error(path, &error))?;
    database::mark_as_write_ahead(draft.file()).map_err(failed)?;
    Ok(LockedFile::new(draft.persist_new().map_err(failed)?))
}

/// Refuses a new file at `path` next to what SQLite kept for another file of this name, which it would take for part of the
/// new one.
pub(super) fn refuse_leftovers(path: &Path) -> Result<(), FileError> {
    let left = SIDE_FILES.map(|suffix| companion(path, suffix)).into_iter().find(|it| it.exists());
    let Some(left) = left else { return Ok(()) };
    let message = format!(
        "cannot be created next to {}, which belongs to a deleted hill of this name: move that file away first",
        left.display()
    );
    Err(FileError::new(path, message))
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
