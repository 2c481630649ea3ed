//! Why a bot's files cannot be read.

use std::io;
use std::path::{Path, PathBuf};

/// The most files and folders of a bot.
pub(super) const MOST_FILES: usize = 20_000;

/// The most bytes of them together.
pub(super) const MOST_BYTES: u64 = 1 << 30;

/// How many folders may lie in each other.
pub(super) const DEEPEST: usize = 64;

/// Why a bot's files cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// One cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Something else than a file.
    #[error("{}: is no regular file, and bots may bring nothing else", .0.display())]
    NoFile(PathBuf),
    /// A link to somebody else's file, to a folder, or to nothing.
    #[error("{}: is a link, and does not lead to a file in the same folder", .0.display())]
    Link(PathBuf),
    /// Far more than a bot needs.
    #[error("{}: more than {MOST_FILES} files or {MOST_BYTES} bytes", .0.display())]
    TooMuch(PathBuf),
    /// Folders in folders.
    #[error("{}: more than {DEEPEST} folders in each other", .0.display())]
    TooDeep(PathBuf),
}

pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> FilesError + use<> {
    let path = path.to_owned();
    |error| FilesError::Unreadable { path, error }
}
