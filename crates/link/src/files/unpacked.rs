//! The files of a bot, written to a temporary folder.

use std::fs;
use std::io;
use std::path::{Component, Path};

use dicehill_temporary::TemporaryFolder;

use super::packed_file::PackedFile;

/// The files of a bot in a temporary folder, which is removed on drop.
#[derive(Debug)]
pub struct UnpackedFiles {
    folder: TemporaryFolder,
}

impl UnpackedFiles {
    /// Writes the files to a new temporary folder.
    ///
    /// # Errors
    /// If a path leads out of the folder, or a file cannot be written.
    pub fn new(files: &[PackedFile]) -> io::Result<Self> {
        let folder = TemporaryFolder::new()?;
        files.iter().try_for_each(|file| lay_out(folder.path(), file))?;
        Ok(Self { folder })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn lay_out(folder: &Path, file: &PackedFile) -> io::Result<()> {
    let within = |part: Component<'_>| matches!(part, Component::Normal(_));
    if file.path.as_os_str().is_empty() || !file.path.components().all(within) {
        let message = format!("{}: leads out of its folder", file.path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let path = folder.join(&file.path);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    fs::write(&path, &file.content)?;
    set_mode(&path, file.executable)
}

#[cfg(unix)]
fn set_mode(path: &Path, executable: bool) -> io::Result<()> {
    let mode = if executable { 0o755 } else { 0o644 };
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

/// Only Unix has such a mode.
#[cfg(not(unix))]
fn set_mode(_path: &Path, _executable: bool) -> io::Result<()> {
    Ok(())
}
