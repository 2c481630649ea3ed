//! A file of a bot with its content.

use std::path::PathBuf;

/// A file of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedFile {
    /// By which the bot knows it: relative, without `..`.
    pub path: PathBuf,
    /// Whether it can be run.
    pub executable: bool,
    /// What is in it.
    pub content: Vec<u8>,
}
