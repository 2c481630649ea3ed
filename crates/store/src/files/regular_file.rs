//! Opening files that come from elsewhere.

use std::fs::{self, File};
use std::path::Path;

use crate::FileError;

/// Opens a file to read. What is not a regular file is refused: to open a named pipe waits for its writer, and a device may
/// have no end.
pub(crate) fn open_regular(path: &Path) -> Result<File, FileError> {
    let failed = |error: std::io::Error| FileError::not_opened(path, &error);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(FileError::new(path, "not a regular file"));
    }
    File::open(path).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_pipes_and_devices_are_refused_without_waiting() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
        assert!(made.success());
        for path in [&pipe, folder.path(), Path::new("/dev/zero")] {
            let error = open_regular(path).expect_err("it is no regular file").to_string();
            assert!(error.ends_with(": not a regular file"), "{error}");
        }
        assert!(open_regular(&folder.path().join("none")).is_err());
        let file = folder.path().join("file");
        fs::write(&file, "text").expect("it can be written");
        assert!(open_regular(&file).is_ok());
    }
}
