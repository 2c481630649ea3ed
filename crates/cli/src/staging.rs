//! Output files that appear as a whole, or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use dicehill_store::FileError;
use dicehill_temporary::{TemporaryFolder, sync_folder_of};

/// A folder for files that are written elsewhere first, and moved into it when all of them are complete.
///
/// Files of the same names are replaced, and no link is followed.
pub(crate) struct StagedFiles {
    folder: PathBuf,
    /// Whether the folder is new, and is removed if no file is kept.
    is_new: bool,
    work: Option<TemporaryFolder>,
}

impl StagedFiles {
    pub(crate) fn new(folder: &Path) -> Result<Self, FileError> {
        let failed = |error: io::Error| FileError::not_written(folder, &error);
        if folder.is_file() {
            return Err(FileError::new(folder, "is a file: name a folder"));
        }
        let is_new = !folder.exists();
        fs::create_dir_all(folder).map_err(failed)?;
        let work = TemporaryFolder::new_in(folder).map_err(failed)?;
        Ok(Self { folder: folder.to_owned(), is_new, work: Some(work) })
    }

    fn work(&self) -> &Path {
        self.work.as_ref().map_or(&self.folder, TemporaryFolder::path)
    }

    /// Creates a file.
    pub(crate) fn create(&self, name: &str) -> Result<File, FileError> {
        let failed = |error| FileError::not_written(&self.folder.join(name), &error);
        File::create_new(self.work().join(name)).map_err(failed)
    }

    /// Moves the files to their places, in this order.
    pub(crate) fn keep(mut self, names: &[String]) -> Result<(), FileError> {
        for name in names {
            let (from, to) = (self.work().join(name), self.folder.join(name));
            let kept = File::open(&from).and_then(|file| file.sync_all());
            kept.and_then(|()| fs::rename(&from, &to))
                .map_err(|error| FileError::not_written(&to, &error))?;
        }
        if let Some(name) = names.first() {
            let synced = sync_folder_of(&self.folder.join(name));
            synced.map_err(|error| FileError::not_written(&self.folder, &error))?;
        }
        self.is_new = false;
        Ok(())
    }
}

impl Drop for StagedFiles {
    fn drop(&mut self) {
        self.work = None;
        if self.is_new {
            // It stays if another program has put a file there.
            let _stays = fs::remove_dir(&self.folder);
        }
    }
}
