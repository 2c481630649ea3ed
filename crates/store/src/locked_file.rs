//! A file that is locked as long as it is in use.

use std::fs::File;
use std::ops::{Deref, DerefMut};

/// A file whose lock goes with this value, or with this process however that ends. The file being closed does not
/// suffice: a child that is just being started by another thread has it open for a moment longer.
pub(crate) struct LockedFile(File);

impl LockedFile {
    /// Of a file that this process has locked.
    pub(crate) const fn new(locked: File) -> Self {
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
        // What is not unlocked here is unlocked by being closed.
        let _unlocked = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_does_not_wait_for_others_who_have_the_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        file.try_lock().unwrap();
        // As a child has it that is being started.
        let _other = file.try_clone().unwrap();
        let locked = LockedFile::new(file);
        let again = File::open(&path).unwrap();
        again.try_lock().expect_err("it is locked");
        drop(locked);
        again.try_lock().unwrap();
    }
}
