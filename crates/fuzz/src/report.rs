//! What fuzzing a target for some time has found.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// What fuzzing a target for some time has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FuzzReport {
    /// The inputs that the target has read.
    pub inputs: u64,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// The inputs at the beginning: those that the test makes and those that are committed.
    pub corpus: u64,
    /// The inputs that joined the corpus.
    pub grown: u64,
    /// The kinds of panics.
    pub crashes: u64,
    /// The most memory of the process, in mebibytes; 0 where the system does not say.
    pub peak_mib: u64,
}

impl FuzzReport {
    /// The name of its file in the output folder of the target.
    const FILE: &'static str = "report.json";

    /// Reads the report in the output folder of a target.
    ///
    /// # Errors
    /// If there is none, because the process was killed or aborted.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(folder.join(Self::FILE))?;
        serde_json::from_str(&text).map_err(io::Error::other)
    }

    /// Writes the report into the output folder of a target.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::write(folder.join(Self::FILE), serde_json::to_string_pretty(self)?)
    }
}
