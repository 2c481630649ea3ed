//! Temporary folders where folders cannot be locked: a file in each is locked instead.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::names::{FOLDER_PREFIX, INNER, is_ours};
use crate::system_error::without_path;

/// The file that is locked while the folder is in use.
const LOCK: &str = "lock";
/// The number of names that are tried: another process may remove an entry that is not locked yet as abandoned.
const TRIES: u32 = 16;
/// How long a process that is being killed may take to release its locks.
const ENDING: Duration = Duration::from_secs(2);
/// The pause between two checks of the lock.
const PAUSE: Duration = Duration::from_millis(5);

/// A folder that is removed when this value is dropped. If its process is killed, a later [`clear_abandoned`] removes it.
#[derive(Debug)]
pub struct TemporaryFolder {
    outer: PathBuf,
    inner: PathBuf,
    /// Locked while this value exists; `None` once the folder is being removed.
    lock: Option<File>,
}

impl TemporaryFolder {
    /// Creates a folder in the system's folder for temporary files.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn new() -> io::Result<Self> {
        Self::create_in(&std::env::temp_dir())
    }

    /// Creates a folder in `place`, from which abandoned ones are removed.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn new_in(place: &Path) -> io::Result<Self> {
        clear_abandoned(place);
        Self::create_in(place)
    }

    fn create_in(place: &Path) -> io::Result<Self> {
        let made = tempfile::Builder::new().prefix(FOLDER_PREFIX).tempdir_in(place);
        let outer = TempDir::keep(made.map_err(without_path)?);
        // A folder without this file is not taken for an abandoned one.
        let lock = File::create_new(outer.join(LOCK))?;
        lock.try_lock()?;
        let temporary = Self { inner: outer.join(INNER), outer, lock: Some(lock) };
        fs::create_dir(&temporary.inner)?;
        Ok(temporary)
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // An open file could not be removed.
        drop(self.lock.take());
        let _best_effort = fs::remove_dir_all(&self.outer);
    }
}

/// Creates an entry and locks it. `create` creates one with a new name each time, and returns `None` if another process
/// removed it before it was opened.
pub(crate) fn locked<T>(
    mut create: impl FnMut() -> io::Result<Option<(File, T)>>,
) -> io::Result<(File, T)> {
    for _ in 0..TRIES {
        let Some((entry, created)) = create()? else { continue };
        if entry.try_lock().is_ok() {
            return Ok((entry, created));
        }
    }
    Err(io::Error::other("each new temporary file was removed at once by another process"))
}

/// Removes the folders and files in `place` that ended processes left behind. What cannot be removed stays.
pub fn clear_abandoned(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        if is_ours(entry.file_name().as_encoded_bytes()) {
            let _best_effort = remove(&entry.path());
        }
    }
}

/// Removes the [`TemporaryFolder`] with this path once the process that created it has ended, for which it waits up to two
/// seconds. Other paths are ignored.
pub fn remove_abandoned(inner: &Path) {
    let Some(outer) = inner.parent().filter(|_| inner.ends_with(INNER)) else { return };
    if !outer.file_name().is_some_and(|name| is_ours(name.as_encoded_bytes())) {
        return;
    }
    let until = Instant::now() + ENDING;
    while matches!(remove(outer), Ok(false)) && Instant::now() < until {
        thread::sleep(PAUSE);
    }
}

/// Removes an entry; false if a process has it locked.
fn remove(path: &Path) -> io::Result<bool> {
    let meta = fs::symlink_metadata(path)?;
    let lock = if meta.is_dir() { path.join(LOCK) } else { path.to_owned() };
    if !fs::symlink_metadata(&lock)?.is_file() || File::open(&lock)?.try_lock().is_err() {
        return Ok(false);
    }
    if meta.is_dir() {
        fs::remove_dir_all(path)?
    } else {
        fs::remove_file(path)?
    }
    Ok(true)
}
