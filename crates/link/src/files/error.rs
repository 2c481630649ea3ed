//! Why a bot's files cannot be read.

use std::io;
use std::path::{Path, PathBuf};

/// The most files and folders of a bot.
pub(super) const MAX_FILES: usize = 20_000;

/// The most bytes of all files of a bot.
pub(super) const MAX_BYTES: u64 = 1 << 30;

/// The deepest nesting of folders.
pub(super) const DEEPEST: usize = 64;

/// Why the files of a bot cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Neither a file nor a folder.
    #[error("{}: is not a regular file", .0.display())]
    NoFile(PathBuf),
    /// A link to a file outside the folder, to a folder, or to nothing.
    #[error("{}: is a link that does not lead to a file in the same folder", .0.display())]
    Link(PathBuf),
    /// Too many files or bytes.
    #[error("{}: more than {MAX_FILES} files or {MAX_BYTES} bytes", .0.display())]
    TooMuch(PathBuf),
    /// Folders nested too deeply.
    #[error("{}: more than {DEEPEST} nested folders", .0.display())]
    TooDeep(PathBuf),
}

pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> FilesError + use<> {
    let path = path.to_owned();
    |error| FilesError::Unreadable { path, error }
}
