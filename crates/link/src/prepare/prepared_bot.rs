//! What is needed to start a bot.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::files::bot_files::BotFiles;

/// What is needed to start a bot.
pub(crate) struct PreparedBot {
    pub(crate) command: Vec<OsString>,
    pub(crate) files: BotFiles,
    /// What it may read in addition to its files.
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) identity: String,
    /// Remarks for its author about its program.
    pub(crate) remarks: Vec<String>,
}
