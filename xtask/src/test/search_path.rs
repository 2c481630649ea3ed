//! The search path of test programs.

use std::env::{join_paths, split_paths, var_os};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// The search path of test programs, if it is not that of this program.
static SEARCH_PATH: LazyLock<Option<OsString>> = LazyLock::new(|| {
    let python = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let python = String::from_utf8(python.ok()?.stdout).ok()?;
    with_folder_of(Path::new(python.trim()), &var_os("PATH")?)
});

/// The search path of test programs, if it is not that of this program: with Python itself before the scripts that
/// version managers such as pyenv put in its place. Each of these starts a shell, and tests start Python thousands of
/// times.
pub(crate) fn search_path() -> Option<&'static OsString> {
    SEARCH_PATH.as_ref()
}

/// The path with this program's folder in front, if it does not have that folder yet.
fn with_folder_of(program: &Path, path: &OsString) -> Option<OsString> {
    let folder = program.parent().filter(|folder| folder.is_absolute())?;
    if split_paths(path).any(|other| other == folder) {
        return None;
    }
    join_paths([folder.to_owned()].into_iter().chain(split_paths(path))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_outside_the_path_changes_it() {
        let path = OsString::from("/shims:/usr/bin");
        let with = |program: &str| with_folder_of(Path::new(program), &path);
        assert_eq!(with("/versions/3/bin/python3"), Some("/versions/3/bin:/shims:/usr/bin".into()));
        for program in ["/usr/bin/python3", "python3", ""] {
            assert_eq!(with(program), None, "{program}");
        }
    }
}
