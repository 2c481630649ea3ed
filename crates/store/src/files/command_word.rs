//! Paths in commands that messages suggest.

use std::path::Path;

/// The path as a word of a command that a message suggests: in quotation marks if a shell would divide or change it.
///
/// # Examples
/// ```
/// use std::path::Path;
///
/// use dicehill_store::command_word;
///
/// assert_eq!(command_word(Path::new("spring.db")), "spring.db");
/// assert_eq!(command_word(Path::new("my hill.db")), "'my hill.db'");
/// ```
#[must_use]
pub fn command_word(path: &Path) -> String {
    shell_words::quote(&path.display().to_string()).into_owned()
}
