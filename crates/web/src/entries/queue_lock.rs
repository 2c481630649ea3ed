//! The lock of a hill's queue, which one server at a time processes.

use std::fs::{OpenOptions, TryLockError};
use std::path::Path;

use dicehill_store::{FileError, LockedFile};

/// The extension of the file that is locked, next to the hill. It stays when the server ends, and is empty.
const EXTENSION: &str = "queue";

/// Locks the queue of the hill in this file, until the value returned is dropped or the process ends.
///
/// # Errors
/// If another server processes it, or the file cannot be created.
pub(super) fn lock(hill: &Path) -> Result<LockedFile, FileError> {
    let path = hill.with_extension(EXTENSION);
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(|error| FileError::new(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(LockedFile::new(file)),
        Err(TryLockError::WouldBlock) => Err(FileError::new(
            hill,
            "another server accepts bots for this hill: end it first, or serve without --accept",
        )),
        // Some network file systems have no locks.
        Err(TryLockError::Error(_)) => Ok(LockedFile::new(file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_at_a_time_has_the_queue() {
        let folder = tempfile::tempdir().unwrap();
        let hill = folder.path().join("spring.db");
        let first = lock(&hill).unwrap();
        let refused = lock(&hill).unwrap_err().to_string();
        assert!(refused.contains("spring.db: another server accepts bots"), "{refused}");
        drop(first);
        lock(&hill).unwrap();
    }
}
