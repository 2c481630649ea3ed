//! A bot as it is kept: its files with their contents, apart from the place they came from.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use dicehill_temporary::Temporary;

use crate::files::Files;
use crate::program::side_by_side;
use crate::{PrepareError, Source, java};

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

/// The files of a bot, and what it is made of once they are laid out in some folder, from which all paths
/// of it begin. It then has the same identity.
///
/// # Errors
/// If something of it is missing, cannot be read, or has a name that is no text.
pub fn pack(source: &Source) -> Result<(Source, Vec<PackedFile>), PrepareError> {
    let (packed, files) = match source {
        Source::Command { command, dir: Some(dir), build, read, .. } => {
            let files = match build {
                Some(_) => Files::to_be_built(dir)?,
                None => Files::in_folder(dir)?,
            };
            let dir = Some(PathBuf::new());
            (of_command(command.clone(), dir, build.clone(), read)?, files)
        }
        Source::Command { command, base, dir: None, read, .. } => {
            let (words, files) = side_by_side(command, base);
            let words = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            (of_command(words, None, None, read)?, files)
        }
        Source::Java { path, class, read } => {
            let name = path.file_name().filter(|_| !path.is_dir());
            let path_within = name.map(PathBuf::from).unwrap_or_default();
            let (class, read) = (class.clone(), absolute(read)?);
            (Source::Java { path: path_within, class, read }, java::files(path)?)
        }
    };
    let files = files.read()?;
    match files.iter().find(|file| file.path.to_str().is_none()) {
        None => Ok((packed, files)),
        Some(file) => {
            let message =
                format!("{}: the name of a file that is kept must be text", file.path.display());
            Err(PrepareError::Io(io::Error::other(message)))
        }
    }
}

fn of_command(
    command: Vec<String>,
    dir: Option<PathBuf>,
    build: Option<Vec<String>>,
    read: &[PathBuf],
) -> io::Result<Source> {
    Ok(Source::Command { command, base: PathBuf::new(), dir, build, read: absolute(read)? })
}

fn absolute(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    paths.iter().map(std::path::absolute).collect()
}

/// The files of a bot, laid out in a folder that is gone afterwards.
#[derive(Debug)]
pub struct Unpacked {
    folder: Temporary,
}

impl Unpacked {
    /// Lays the files out.
    ///
    /// # Errors
    /// If one leads out of the folder, or cannot be written.
    pub fn new(files: &[PackedFile]) -> io::Result<Self> {
        let folder = Temporary::new()?;
        files.iter().try_for_each(|file| lay_out(folder.path(), file))?;
        Ok(Self { folder })
    }

    /// Where they lie.
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
    let mode = if file.executable { 0o755 } else { 0o644 };
    fs::set_permissions(&path, fs::Permissions::from_mode(mode))
}
