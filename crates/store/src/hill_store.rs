//! The store of a hill: one SQLite file with its entrants, their files, and all its runs.
//!
//! Games are kept as the lines of the run log, many in a row of the table `page`, so that the store holds the
//! same records as a log. `protocol/store.md` describes the tables and views for whoever reads them.

mod commitments;
mod database;
mod entrants;
mod entry_book;
mod game_reader;
mod hill_record;
mod page;
mod run_import;
mod run_reader;
mod run_writer;
mod seal;

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use dicehill_temporary::Draft;
use rusqlite::Connection;

use crate::FileError;
use crate::locked_file::LockedFile;
pub use commitments::OpenCommitment;
pub use entrants::{NewEntrant, StoredEntrant, StoredFile};
pub use entry_book::{
    EntryBook, EntryState, SecretToken, StoredEntry, StoredToken, TokenError, TokenTerms,
};
pub use game_reader::Direction;
pub use hill_record::HillRecord;
pub use page::Page;
pub use run_import::ImportedRun;
pub use run_reader::{RunSummary, StoredFailure, StoredGames, StoredRun};
pub use run_writer::RunWriter;

/// A hill on disk.
pub struct HillStore {
    path: PathBuf,
    // The database is closed before the lock goes: fields are dropped in this order.
    database: Connection,
    lock: Option<LockedFile>,
    hill: HillRecord,
}

impl HillStore {
    /// Makes the store of a new hill where nothing is, and locks it. It is there whole or not at all, also if the process is
    /// killed or the disk is full.
    ///
    /// # Errors
    /// If something is there, or nothing can be written there.
    pub fn create(path: &Path, hill: &HillRecord) -> Result<Self, FileError> {
        let failed = |error: io::Error| {
            if error.kind() == ErrorKind::AlreadyExists {
                return FileError::new(path, "is there already: a new hill begins with a new file");
            }
            FileError::new(path, error)
        };
        if path.symlink_metadata().is_ok() {
            return Err(failed(ErrorKind::AlreadyExists.into()));
        }
        let draft = Draft::new(path).map_err(failed)?;
        let written = database::write_new(draft.path(), |transaction| hill.insert(transaction));
        written.map_err(|error| database::error(path, &error))?;
        let lock = LockedFile::new(draft.name_new().map_err(failed)?);
        let database = database::open(path, database::Access::Write)?;
        Ok(Self { path: path.to_owned(), database, lock: Some(lock), hill: hill.clone() })
    }

    /// Opens a store to look into it, also while somebody plays.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let database = database::open(path, database::Access::Read)?;
        Self::read(path, database, None)
    }

    /// Opens a store to play, and locks it: of two that want to play on one hill, the second is refused.
    ///
    /// # Errors
    /// If there is none, it cannot be written, or somebody plays on it.
    pub fn open_to_write(path: &Path) -> Result<Self, FileError> {
        // What is no store is called by its name before it is locked.
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
        let hill = HillRecord::read(&database, path)?;
        Ok(Self { path: path.to_owned(), database, lock, hill })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The hill's terms.
    #[must_use]
    pub const fn hill(&self) -> &HillRecord {
        &self.hill
    }

    /// Whether somebody plays on it, as far as the system tells: Linux says who has locked which file.
    #[must_use]
    pub fn is_locked(&self) -> Option<bool> {
        use std::os::unix::fs::MetadataExt;
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
        let inode = format!(":{}", std::fs::metadata(&self.path).ok()?.ino());
        // `1: FLOCK  ADVISORY  WRITE 4242 fe:00:1234 0 EOF`
        let is_ours = |line: &str| {
            let mut words = line.split_whitespace().skip(1);
            let kind = words.next();
            kind == Some("FLOCK") && words.nth(3).is_some_and(|file| file.ends_with(&inode))
        };
        Some(locks.lines().any(is_ours))
    }

    fn named(&self) -> impl Fn(rusqlite::Error) -> FileError + '_ {
        |error| database::error(&self.path, &error)
    }
}

/// Locks the file itself, whose lock goes with this process however it ends.
fn lock(path: &Path) -> Result<LockedFile, FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    let file = File::open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(LockedFile::new(file)),
        Err(TryLockError::WouldBlock) => {
            Err(FileError::new(path, "another dicehill plays on this hill; wait until it is done"))
        }
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
