//! A file that is locked while it is in use.

use std::fs::File;
use std::ops::{Deref, DerefMut};

/// A file whose lock is released when this value is dropped or the process ends.
///
/// Closing the file is not enough: a child process that another thread is starting shares the open file for a moment.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Wraps a file that this process has locked.
    #[must_use]
    pub const fn new(locked: File) -> Self {
        Self(locked)
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // If unlocking fails, closing the file releases the lock.
        let _unlocked = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_releases_the_lock_while_the_file_is_still_open_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        file.try_lock().unwrap();
        // A child process that is being started shares the open file like this.
        let _shared = file.try_clone().unwrap();
        let locked = LockedFile::new(file);
        let reopened = File::open(&path).unwrap();
        reopened.try_lock().expect_err("it is locked");
        drop(locked);
        reopened.try_lock().unwrap();
    }
}
