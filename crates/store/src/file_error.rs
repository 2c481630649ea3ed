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
    fault: Fault,
}

/// What is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The file, which cannot be used as it is asked for.
    Unusable,
    /// A record in it, which is not what was written.
    Altered,
    /// The machine, which could not do what the file says.
    Arena,
}

impl FileError {
    /// Something about the file as a whole.
    pub fn new(path: &Path, message: impl fmt::Display) -> Self {
        let (line, fault) = (None, Fault::Unusable);
        Self { path: path.to_owned(), line, message: message.to_string(), fault }
    }

    /// Something about a line, counted from 1.
    pub fn at(path: &Path, line: usize, message: impl fmt::Display) -> Self {
        Self { line: Some(line), ..Self::new(path, message) }
    }

    /// The same, where the file is right and the machine could not do what it says.
    #[must_use]
    pub(crate) fn of_arena(self) -> Self {
        Self { fault: Fault::Arena, ..self }
    }

    /// A record is not what was written, at a line if it is that of a log.
    pub fn altered(path: &Path, line: Option<usize>, message: impl fmt::Display) -> Self {
        Self { line, fault: Fault::Altered, ..Self::new(path, message) }
    }

    /// Whether the machine is at fault and not the file.
    #[must_use]
    pub fn is_arena_error(&self) -> bool {
        self.fault == Fault::Arena
    }

    /// Whether a record is not what was written. Otherwise the file cannot be used as it is asked for.
    #[must_use]
    pub fn is_altered(&self) -> bool {
        self.fault == Fault::Altered
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
