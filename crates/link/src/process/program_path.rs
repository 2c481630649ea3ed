//! Finds the program file of a command.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The file of a command's program: in `folder` if its name has a slash, else in the PATH.
pub(crate) fn find_program(name: &OsStr, folder: &Path) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| path.is_file();
    if name.as_encoded_bytes().contains(&b'/') {
        return Some(folder.join(name)).filter(is_program);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(is_program)
}
