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
    is_arena_error: bool,
}

impl FileError {
    /// Something about the file as a whole.
    pub fn new(path: &Path, message: impl fmt::Display) -> Self {
        Self {
            path: path.to_owned(),
            line: None,
            message: message.to_string(),
            is_arena_error: false,
        }
    }

    /// Something about a line, counted from 1.
    pub fn at(path: &Path, line: usize, message: impl fmt::Display) -> Self {
        Self { line: Some(line), ..Self::new(path, message) }
    }

    /// The same, where the file is right and the machine could not do what it says.
    #[must_use]
    pub(crate) fn with_arena_error(self, is_arena_error: bool) -> Self {
        Self { is_arena_error, ..self }
    }

    /// Whether the machine is at fault and not the file.
    #[must_use]
    pub const fn is_arena_error(&self) -> bool {
        self.is_arena_error
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
