//! The hills that a server shows, each looked at by a thread of its own.

use std::path::PathBuf;

use dicehill_store::{FileError, HillStore};

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

    pub(crate) fn close(&self) {
        let _ = &self.paths;
    }
}
