//! A file that gets its name once it is complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use crate::abandoned::clear_abandoned;
#[cfg(not(unix))]
use crate::elsewhere::clear_abandoned;
#[cfg(not(unix))]
use crate::elsewhere::locked;
use crate::names::DRAFT_PREFIX;
#[cfg(unix)]
use crate::owned::locked;
use crate::system_error::without_path;

/// A file that gets its name once it is complete. A draft that is dropped before that is removed.
#[derive(Debug)]
pub struct DraftFile {
    path: PathBuf,
    target: PathBuf,
    /// Locked while this value exists.
    file: File,
    has_name: bool,
}

impl DraftFile {
    /// Creates a file in the folder of `target`, which is to be its name, and removes abandoned drafts from that folder.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn new(target: &Path) -> io::Result<Self> {
        // The system removes the permissions in the user's mask.
        Self::with_permissions(target, 0o666)
    }

    /// The same with a file that is readable by its owner only.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn new_private(target: &Path) -> io::Result<Self> {
        Self::with_permissions(target, 0o600)
    }

    fn with_permissions(target: &Path, mode: u32) -> io::Result<Self> {
        let folder = folder_of(target);
        clear_abandoned(folder);
        let (file, path) = locked(|| {
            let mut draft = tempfile::Builder::new();
            set_mode(draft.prefix(DRAFT_PREFIX), mode);
            Ok(Some(draft.tempfile_in(folder).map_err(without_path)?.keep()?))
        })?;
        Ok(Self { path, target: target.to_owned(), file, has_name: false })
    }

    /// The path of the draft before it gets its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, to write to it.
    pub const fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Writes the content to disk, and gives the file its name. Returns the file, which stays locked.
    ///
    /// # Errors
    /// If the name exists ([`io::ErrorKind::AlreadyExists`]), or the content cannot be written.
    pub fn persist_new(mut self) -> io::Result<File> {
        self.file.sync_all()?;
        rename_new(&self.path, &self.target)?;
        self.named()
    }

    /// Like [`DraftFile::persist_new`], but replaces an existing file.
    ///
    /// # Errors
    /// If the content cannot be written, or the file not be renamed.
    pub fn persist(mut self) -> io::Result<File> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.named()
    }

    fn named(&mut self) -> io::Result<File> {
        self.has_name = true;
        sync_folder_of(&self.target)?;
        self.file.try_clone()
    }
}

impl Drop for DraftFile {
    fn drop(&mut self) {
        if !self.has_name {
            let _may_be_gone = fs::remove_file(&self.path);
        }
    }
}

#[cfg(unix)]
fn set_mode(draft: &mut tempfile::Builder<'_, '_>, mode: u32) {
    draft.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
}

/// Elsewhere a file has the access rights of its folder.
#[cfg(not(unix))]
fn set_mode(_draft: &mut tempfile::Builder<'_, '_>, _mode: u32) {}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes to disk the folder of a file that was created, renamed or removed: otherwise a power failure could undo that.
///
/// # Errors
/// If it cannot be written. File systems that cannot sync folders, and folders that may not be opened, are no error.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match File::open(folder_of(path)).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

/// Renames a file to a name that does not exist. On file systems without this operation, the file is linked to the new name
/// and then unlinked from the old one.
#[cfg(unix)]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => link_new(from, to),
        renamed => Ok(renamed?),
    }
}

#[cfg(not(unix))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    link_new(from, to)
}

fn link_new(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to)?;
    fs::remove_file(from)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_appears_complete_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("file");
        let mut draft = DraftFile::new(&target).unwrap();
        draft.file().write_all(b"complete").unwrap();
        assert!(!target.exists());
        drop(draft.persist_new().unwrap());
        assert_eq!(fs::read(&target).unwrap(), b"complete");
        drop(DraftFile::new(&target).unwrap());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn only_persist_replaces_an_existing_file() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("file");
        fs::write(&target, "first").unwrap();
        let refused = DraftFile::new(&target).unwrap().persist_new().unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"first");
        drop(DraftFile::new(&target).unwrap().persist().unwrap());
        assert_eq!(fs::read(&target).unwrap(), b"");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
