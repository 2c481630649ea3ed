//! Finds the files in a folder that a stranger may have made.

use std::fs;
use std::path::{Path, PathBuf};

use super::bot_file::SourceFile;
use super::error::{DEEPEST, FilesError, MAX_BYTES, MAX_FILES, unreadable};

/// Folders and files that a bot does not need to be built or run.
const IGNORED: [&str; 5] = [".git", ".hg", "__pycache__", ".venv", ".DS_Store"];

/// The file that makes a folder a Python virtual environment, which belongs to one machine and is not copied.
const ENVIRONMENT: &str = "pyvenv.cfg";

/// All files in a folder, ordered by their paths.
pub(super) fn files_in(folder: &Path) -> Result<Vec<SourceFile>, FilesError> {
    let root = folder.canonicalize().map_err(unreadable(folder))?;
    let mut search = FolderSearch { root, folder, files: Vec::new(), entries: 0, bytes: 0 };
    search.add_folder(Path::new(""), 0)?;
    let mut files = search.files;
    files.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(files)
}

/// A search for the files in a folder.
struct FolderSearch<'a> {
    /// The folder, without links.
    root: PathBuf,
    /// The folder as named in error messages.
    folder: &'a Path,
    files: Vec<SourceFile>,
    entries: usize,
    bytes: u64,
}

impl FolderSearch<'_> {
    fn add_folder(&mut self, place: &Path, depth: usize) -> Result<(), FilesError> {
        let folder = self.folder.join(place);
        if depth > 0 && folder.join(ENVIRONMENT).is_file() {
            return Ok(());
        }
        if depth > DEEPEST {
            return Err(FilesError::TooDeep(folder));
        }
        for entry in fs::read_dir(&folder).map_err(unreadable(&folder))? {
            let name = entry.map_err(unreadable(&folder))?.file_name();
            if IGNORED.iter().any(|ignored| name == *ignored) {
                continue;
            }
            self.add(&place.join(name), depth)?;
            self.entries += 1;
            if self.entries > MAX_FILES || self.bytes > MAX_BYTES {
                return Err(FilesError::TooMuch(folder));
            }
        }
        Ok(())
    }

    fn add(&mut self, place: &Path, depth: usize) -> Result<(), FilesError> {
        let path = self.folder.join(place);
        let meta = fs::symlink_metadata(&path).map_err(unreadable(&path))?;
        if meta.is_dir() {
            return self.add_folder(place, depth + 1);
        }
        let within = if meta.is_symlink() { self.target(&path)? } else { place.to_owned() };
        let meta = fs::symlink_metadata(self.root.join(&within)).map_err(unreadable(&path))?;
        if !meta.is_file() {
            let is_link = within != *place;
            return Err(if is_link { FilesError::Link(path) } else { FilesError::NoFile(path) });
        }
        self.bytes = self.bytes.saturating_add(meta.len());
        self.files.push(SourceFile {
            source: path,
            root: self.root.clone(),
            within,
            place: place.to_owned(),
        });
        Ok(())
    }

    /// Where a chain of links ends, relative to the folder.
    fn target(&self, link: &Path) -> Result<PathBuf, FilesError> {
        let target = link.canonicalize().map_err(|_| FilesError::Link(link.to_owned()))?;
        match target.strip_prefix(&self.root) {
            Ok(within) => Ok(within.to_owned()),
            Err(_) => Err(FilesError::Link(link.to_owned())),
        }
    }
}
