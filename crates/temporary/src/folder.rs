//! A temporary folder.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use rustix::io::Errno;
use tempfile::TempDir;

use crate::abandoned::clear_abandoned;
use crate::names::{FOLDER_PREFIX, INNER};
use crate::owned::locked;
use crate::system_error::without_path;
use crate::tree::{OPEN_FOLDER_FLAGS, remove_tree};

/// A folder that is removed when this value is dropped. If its process is killed, a later [`clear_abandoned`] removes it.
#[derive(Debug)]
pub struct TemporaryFolder {
    outer: PathBuf,
    inner: PathBuf,
    /// The outer folder, locked while this value exists.
    lock: File,
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
        let (lock, outer) = locked(|| {
            let made = tempfile::Builder::new().prefix(FOLDER_PREFIX).tempdir_in(place);
            let failed = |error| {
                let (place, error) = (place.display(), without_path(error));
                io::Error::new(
                    error.kind(),
                    format!("the folder for temporary files, {place}: {error}"),
                )
            };
            let outer = TempDir::keep(made.map_err(failed)?);
            match rustix::fs::open(&outer, OPEN_FOLDER_FLAGS, Mode::empty()) {
                Err(Errno::NOENT) => Ok(None),
                entry => Ok(Some((File::from(entry?), outer))),
            }
        })?;
        let temporary = Self { inner: outer.join(INNER), outer, lock };
        fs::create_dir(&temporary.inner)?;
        if rustix::process::geteuid().is_root() {
            // A sandbox's user must be able to enter both, whatever mask this process was started with.
            temporary.lock.set_permissions(fs::Permissions::from_mode(0o711))?;
            fs::set_permissions(&temporary.inner, fs::Permissions::from_mode(0o755))?;
        }
        Ok(temporary)
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner
    }

    fn remove(&self) -> io::Result<()> {
        let (Some(place), Some(name)) = (self.outer.parent(), self.outer.file_name()) else {
            return Ok(());
        };
        let at = rustix::fs::open(place, OPEN_FOLDER_FLAGS, Mode::empty())?;
        remove_tree(&at, Path::new(name), &self.lock)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _best_effort = self.remove();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{mkdirat, openat};

    use super::*;

    /// A folder looks abandoned until it is locked.
    #[test]
    fn a_folder_can_be_created_while_abandoned_ones_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    clear_abandoned(place.path());
                }
            });
            let created: io::Result<Vec<_>> =
                (0..2000).map(|_| TemporaryFolder::create_in(place.path()).map(drop)).collect();
            is_done.store(true, Ordering::Relaxed);
            created.unwrap();
        });
    }

    #[test]
    fn a_deep_tree_is_removed() {
        let temporary = TemporaryFolder::new().unwrap();
        let outer = temporary.outer.clone();
        let mut at = rustix::fs::open(temporary.path(), OPEN_FOLDER_FLAGS, Mode::empty()).unwrap();
        for _ in 0..5000 {
            mkdirat(&at, "a-name-of-some-length", Mode::RWXU).unwrap();
            at = openat(&at, "a-name-of-some-length", OPEN_FOLDER_FLAGS, Mode::empty()).unwrap();
        }
        drop(temporary);
        assert!(!outer.exists());
    }

    #[test]
    fn folders_without_permissions_are_removed() {
        let temporary = TemporaryFolder::new().unwrap();
        let outer = temporary.outer.clone();
        let closed = temporary.path().join("a/b/c");
        fs::create_dir_all(&closed).unwrap();
        fs::write(closed.join("file"), "").unwrap();
        for folder in ["a/b/c", "a/b", "a", ""] {
            let none = fs::Permissions::from_mode(0o0);
            fs::set_permissions(temporary.path().join(folder), none).unwrap();
        }
        drop(temporary);
        assert!(!outer.exists());
    }

    #[test]
    fn links_are_not_followed() {
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join("file"), "kept").unwrap();
        let temporary = TemporaryFolder::new().unwrap();
        std::os::unix::fs::symlink(other.path(), temporary.path().join("link")).unwrap();
        fs::create_dir(temporary.path().join("folder")).unwrap();
        std::os::unix::fs::symlink(other.path(), temporary.path().join("folder/link")).unwrap();
        drop(temporary);
        assert_eq!(fs::read_to_string(other.path().join("file")).unwrap(), "kept");
    }
}
