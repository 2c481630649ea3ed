//! A file that gets its name once it is whole.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use crate::clear_abandoned;
use crate::owned::locked;

/// How the names of drafts begin.
pub(crate) const PREFIX: &str = ".dicehill-draft-";

/// A file that gets its name once it is whole, and is removed otherwise.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    target: PathBuf,
    /// Locked for as long as it is here.
    file: File,
    has_name: bool,
}

impl Draft {
    /// Begins a file that is to have the name `target`, in the same folder, from which it removes abandoned ones.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn new(target: &Path) -> io::Result<Self> {
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        clear_abandoned(folder);
        let (file, path) = locked(|| {
            // The system takes from the mode what the user does not want.
            let mut draft = tempfile::Builder::new();
            draft.prefix(PREFIX).permissions(Permissions::from_mode(0o666));
            Ok(Some(draft.tempfile_in(folder)?.keep()?))
        })?;
        Ok(Self { path, target: target.to_owned(), file, has_name: false })
    }

    /// Where it is until it has its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, to write to it.
    pub const fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name, which nothing may have yet, once its content is on disk. The file comes back locked.
    ///
    /// # Errors
    /// If something has the name ([`io::ErrorKind::AlreadyExists`]), or the content cannot be written.
    pub fn name_new(mut self) -> io::Result<File> {
        self.file.sync_all()?;
        rename_new(&self.path, &self.target)?;
        self.named()
    }

    /// The same; what has the name is replaced.
    ///
    /// # Errors
    /// If the content cannot be written, or the name not be given.
    pub fn name(mut self) -> io::Result<File> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.named()
    }

    fn named(&mut self) -> io::Result<File> {
        self.has_name = true;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        // Not every file system has folders that can be synced.
        let _best_effort = File::open(folder).and_then(|folder| folder.sync_all());
        self.file.try_clone()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.has_name {
            let _may_be_gone = fs::remove_file(&self.path);
        }
    }
}

/// Renames a file to a name that nothing has. Where the file system knows no such renaming, a second name is given and the
/// first taken away.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            fs::hard_link(from, to)?;
            fs::remove_file(from)
        }
        renamed => Ok(renamed?),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("file");
        let mut draft = Draft::new(&target).unwrap();
        draft.file().write_all(b"whole").unwrap();
        assert!(!target.exists());
        drop(draft.name_new().unwrap());
        assert_eq!(fs::read(&target).unwrap(), b"whole");
        drop(Draft::new(&target).unwrap());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn nothing_is_replaced_unless_that_is_wanted() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("file");
        fs::write(&target, "first").unwrap();
        let refused = Draft::new(&target).unwrap().name_new().unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"first");
        drop(Draft::new(&target).unwrap().name().unwrap());
        assert_eq!(fs::read(&target).unwrap(), b"");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
