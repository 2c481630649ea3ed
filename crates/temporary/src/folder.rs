//! A folder that goes with its process.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use rustix::io::Errno;
use tempfile::TempDir;

use crate::clear_abandoned;
use crate::owned::locked;
use crate::tree::{FOLDER, remove_tree};

/// How the names of these folders begin.
pub(crate) const PREFIX: &str = "dicehill-work-";
/// The folder that is given away. The one around it stays ours, so that no other user of the machine comes in,
/// whatever is allowed inside.
pub(crate) const INNER: &str = "own";

/// A folder that is removed when it is dropped, and by the next process that looks if its own is killed.
#[derive(Debug)]
pub struct Temporary {
    outer: PathBuf,
    inner: PathBuf,
    /// Locked for as long as it is here.
    lock: File,
}

impl Temporary {
    /// One among the system's temporary files.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new() -> io::Result<Self> {
        Self::made_in(&std::env::temp_dir())
    }

    /// One in this folder, from which it removes abandoned ones.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn within(place: &Path) -> io::Result<Self> {
        clear_abandoned(place);
        Self::made_in(place)
    }

    fn made_in(place: &Path) -> io::Result<Self> {
        let (lock, outer) = locked(|| {
            let outer = TempDir::keep(tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?);
            match rustix::fs::open(&outer, FOLDER, Mode::empty()) {
                Err(Errno::NOENT) => Ok(None),
                entry => Ok(Some((File::from(entry?), outer))),
            }
        })?;
        let temporary = Self { inner: outer.join(INNER), outer, lock };
        if rustix::process::geteuid().is_root() {
            // The user to whom it is given has to come through.
            temporary.lock.set_permissions(fs::Permissions::from_mode(0o711))?;
        }
        fs::create_dir(&temporary.inner)?;
        Ok(temporary)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner
    }

    fn remove(&self) -> io::Result<()> {
        let (Some(place), Some(name)) = (self.outer.parent(), self.outer.file_name()) else {
            return Ok(());
        };
        let at = rustix::fs::open(place, FOLDER, Mode::empty())?;
        remove_tree(&at, Path::new(name), &self.lock)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _best_effort = self.remove();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{mkdirat, openat};

    use super::*;

    /// A folder that has no lock yet looks abandoned, whether it has been opened or not.
    #[test]
    fn one_can_be_made_while_others_clear_up() {
        let place = tempfile::tempdir().unwrap();
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    clear_abandoned(place.path());
                }
            });
            let made: io::Result<Vec<_>> =
                (0..2000).map(|_| Temporary::made_in(place.path()).map(drop)).collect();
            is_done.store(true, Ordering::Relaxed);
            made.unwrap();
        });
    }

    #[test]
    fn what_is_deep_is_removed() {
        let temporary = Temporary::new().unwrap();
        let outer = temporary.outer.clone();
        let mut at = rustix::fs::open(temporary.path(), FOLDER, Mode::empty()).unwrap();
        for _ in 0..5000 {
            mkdirat(&at, "a-name-of-some-length", Mode::RWXU).unwrap();
            at = openat(&at, "a-name-of-some-length", FOLDER, Mode::empty()).unwrap();
        }
        drop(temporary);
        assert!(!outer.exists());
    }

    #[test]
    fn what_cannot_be_entered_is_removed() {
        let temporary = Temporary::new().unwrap();
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
        let temporary = Temporary::new().unwrap();
        std::os::unix::fs::symlink(other.path(), temporary.path().join("link")).unwrap();
        fs::create_dir(temporary.path().join("folder")).unwrap();
        std::os::unix::fs::symlink(other.path(), temporary.path().join("folder/link")).unwrap();
        drop(temporary);
        assert_eq!(fs::read_to_string(other.path().join("file")).unwrap(), "kept");
    }
}
