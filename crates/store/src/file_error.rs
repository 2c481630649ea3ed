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
}

impl FileError {
    /// Something about the file as a whole.
    pub fn new(path: &Path, message: impl fmt::Display) -> Self {
        Self { path: path.to_owned(), line: None, message: message.to_string() }
    }

    /// Something about a line, counted from 1.
    pub fn at(path: &Path, line: usize, message: impl fmt::Display) -> Self {
        Self { line: Some(line), ..Self::new(path, message) }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, message } = self;
        match line {
            Some(line) => write!(f, "{}:{line}: {message}", path.display()),
            None => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl std::error::Error for FileError {}
