//! Copies of a whole hill: backing it up while a run is being played on it, and restoring it.

use std::fs;
use std::io;
use std::path::Path;

use dicehill_temporary::{DraftFile, sync_folder_of};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::read_connection::{companion, connect_without_locks};
use super::store::{lock, refuse_leftovers};
use super::{HillStore, database};
use crate::FileError;
use crate::files::file_kind::SIDE_FILES;

impl HillStore {
    /// Copies the hill with everything that was stored before the call to a new file, while another process may play on it.
    /// The copy is one file, complete or absent, readable by its owner only.
    ///
    /// # Errors
    /// If `to` exists or cannot be written, or the hill is damaged.
    pub fn back_up(&self, to: &Path) -> Result<(), FileError> {
        if to.symlink_metadata().is_ok() {
            return Err(FileError::new(to, "already exists: a backup must be a new file"));
        }
        refuse_leftovers(to)?;
        let copy = copy_of(&self.database, self.path(), to)?;
        copy.persist_new().map(drop).map_err(|error| FileError::new(to, error))
    }

    /// Compares the runs with their hashes.
    ///
    /// # Errors
    /// Names the first run that was altered, or what cannot be read.
    pub fn check_seals(&self) -> Result<(), FileError> {
        self.runs()?.iter().try_for_each(|run| self.check_seal(run.run))
    }

    /// Copies a backup to the file of a hill. With `overwrite`, a hill at `to` is replaced, whatever state it is in.
    ///
    /// # Errors
    /// If the backup is no hill of a known version, is damaged or has a run that was altered, or `to` cannot be written, exists without `overwrite`, or is
    /// in use by another process, for which [`FileError::is_busy`] holds.
    pub fn restore(backup: &Path, to: &Path, overwrite: bool) -> Result<(), FileError> {
        let failed = |error: io::Error| FileError::new(to, error);
        fs::metadata(backup).map_err(|error| FileError::not_opened(backup, &error))?;
        HillStore::open(backup)?.check_seals()?;
        let source = database::open_to_read(backup)?.database;
        let exists = to.symlink_metadata().is_ok();
        if exists && !overwrite {
            return Err(FileError::new(to, "already exists: --overwrite replaces it"));
        }
        if !overwrite {
            refuse_leftovers(to)?;
        }
        let _lock = if exists { Some(lock(to)?) } else { None };
        let copy = copy_of(&source, backup, to)?;
        drop(source);
        if exists {
            close_for_others(to)?;
        }
        for left in SIDE_FILES.map(|suffix| companion(to, suffix)) {
            match fs::remove_file(left) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
                Ok(()) | Err(_) => {}
            }
        }
        // The hill of before must not get its write-ahead log back after it was replaced.
        sync_folder_of(to).map_err(failed)?;
        let named = if exists { copy.persist() } else { copy.persist_new() };
        named.map(drop).map_err(failed)
    }
}

/// A draft of the file `to` with the content of an opened hill, whose file is `from`.
fn copy_of(source: &Connection, from: &Path, to: &Path) -> Result<DraftFile, FileError> {
    let failed = |error: io::Error| FileError::not_written(to, &error);
    let mut draft = DraftFile::new_private(to).map_err(failed)?;
    let copied =
        copy_pages(source, draft.path()).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                database::error(from, &error)
            }
            _ => database::error(to, &error),
        })?;
    if copied != StepResult::Done {
        return Err(FileError::busy(from, "another program has locked it"));
    }
    database::mark_as_write_ahead(draft.file()).map_err(failed)?;
    let copy = connect_without_locks(draft.path()).map_err(|error| database::error(to, &error))?;
    match database::first_damage(&copy, None).map_err(|error| database::error(from, &error))? {
        Some(damage) => Err(FileError::new(from, format!("is damaged: {damage}"))),
        None => Ok(draft),
    }
}

/// Copies all pages in one step: a copy in several steps would begin again whenever the run stores games.
fn copy_pages(source: &Connection, to: &Path) -> rusqlite::Result<StepResult> {
    let mut copy = Connection::open(to)?;
    // The file is discarded unless it is complete, and is synced before it gets its name.
    copy.pragma_update(None, "journal_mode", "memory")?;
    copy.pragma_update(None, "synchronous", "off")?;
    let done = Backup::new(source, &mut copy)?.step(-1)?;
    copy.close().map_err(|(_, error)| error)?;
    Ok(done)
}

/// Makes sure that no other connection has the hill at `path` open and that its write-ahead log is empty, as far as it is a
/// database at all.
fn close_for_others(path: &Path) -> Result<(), FileError> {
    let closed = || -> rusqlite::Result<()> {
        let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        database.pragma_update(None, "journal_mode", "delete")
    };
    match closed().as_ref().map_err(rusqlite::Error::sqlite_error_code) {
        Err(Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => {
            let message = "another program has it open: stop it first, such as `dicehill serve`";
            Err(FileError::busy(path, message))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
