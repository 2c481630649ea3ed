//! A file of a bot with its content.

use std::path::PathBuf;

/// A file of a bot with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedFile {
    /// Its path in the bot's folder: relative, without `..`.
    pub path: PathBuf,
    /// Whether it is executable.
    pub executable: bool,
    /// Its content.
    pub content: Vec<u8>,
}
