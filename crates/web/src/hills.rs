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

    /// The hills' names in addresses, with their stores.
    pub(crate) fn named(&self) -> Vec<(String, PathBuf)> {
        self.paths.iter().map(|path| (name(path), path.clone())).collect()
    }

    /// The store of the hill with this name.
    pub(crate) fn path(&self, hill: &str) -> Result<&Path, Problem> {
        let missing = || Problem::NotFound(format!("there is no hill {hill:?} here"));
        Ok(self.paths.iter().find(|path| name(path) == hill).ok_or_else(missing)?)
    }

    pub(crate) fn close(&self) {
        let _ = &self.paths;
    }
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
