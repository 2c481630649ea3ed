//! What is wrong with a file, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    path: PathBuf,
    /// From 1.
    line: Option<usize>,
    message: String,
    is_altered: bool,
}

impl FileError {
    /// Something about the file as a whole.
    pub fn new(path: &Path, message: impl fmt::Display) -> Self {
        let (line, is_altered) = (None, false);
        Self { path: path.to_owned(), line, message: message.to_string(), is_altered }
    }

    /// Something about a line, counted from 1.
    pub fn at(path: &Path, line: usize, message: impl fmt::Display) -> Self {
        Self { line: Some(line), ..Self::new(path, message) }
    }

    /// A record is not what was written, at a line if it is that of a log.
    pub fn altered(path: &Path, line: Option<usize>, message: impl fmt::Display) -> Self {
        Self { line, is_altered: true, ..Self::new(path, message) }
    }

    /// Whether a record is not what was written. Otherwise the file cannot be used as it is asked for.
    #[must_use]
    pub const fn is_altered(&self) -> bool {
        self.is_altered
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, message, .. } = self;
        match line {
            Some(line) => write!(f, "{}:{line}: {message}", path.display()),
            None => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl std::error::Error for FileError {}
