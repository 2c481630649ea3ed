//! The hills that a server shows, each looked at by a thread of its own.

use std::path::{Path, PathBuf};

use dicehill_store::{FileError, HillStore};

use crate::Problem;

/// The hills that a server shows, in the order in which they were named.
pub(crate) struct Hills {
    paths: Vec<PathBuf>,
}

impl Hills {
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, FileError> {
        for path in paths {
            HillStore::open(path)?;
        }
        Ok(Self { paths: paths.to_vec() })
    }

    /// The store of the hill with this name in addresses.
    pub(crate) fn path_of(&self, name: &str) -> Result<&Path, Problem> {
        let is_named = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem == name);
        let none = || Problem::NotFound(format!("there is no hill {name:?} here"));
        self.paths.iter().find(is_named).map(PathBuf::as_path).ok_or_else(none)
    }

    pub(crate) fn close(&self) {
        let _ = &self.paths;
    }
}
