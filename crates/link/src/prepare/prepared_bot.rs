//! What is needed to start a bot.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::files::bot_files::Files;

/// What is found of a bot.
pub(crate) struct Ready {
    pub(crate) command: Vec<OsString>,
    pub(crate) files: Files,
    /// What it may read beside its files.
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) identity: String,
}
