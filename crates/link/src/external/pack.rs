//! Packs a bot: its files with their contents, independent of where they were.

use std::io;
use std::path::PathBuf;

use crate::files::PackedFile;
use crate::files::bot_files::BotFiles;
use crate::java::player;
use crate::prepare::command_bot::gather_argument_files;
use crate::prepare::error::PrepareError;
use crate::prepare::source::BotSource;
use crate::prepare::virtual_environment;

/// The files of a bot, and the source of the same bot once they are written to a folder, relative to that
/// folder. The identity of the bot stays the same.
///
/// # Errors
/// If a file is missing, cannot be read, or has a name that is not UTF-8.
pub fn pack(source: &BotSource) -> Result<(BotSource, Vec<PackedFile>), PrepareError> {
    let (packed, files) = match source {
        BotSource::Command { command, base, dir, .. }
            if virtual_environment::named(command, dir.as_ref().unwrap_or(base)).is_some() =>
        {
            return Err(PrepareError::EnvironmentNotKept(command[0].clone()));
        }
        BotSource::Command { command, dir: Some(dir), build, read, .. } => {
            let files = match build {
                Some(_) => BotFiles::to_be_built(dir)?,
                None => BotFiles::in_folder(dir)?,
            };
            let dir = Some(PathBuf::new());
            (of_command(command.clone(), dir, build.clone(), read)?, files)
        }
        BotSource::Command { command, base, dir: None, read, .. } => {
            let (words, files) = gather_argument_files(command, base);
            let words = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            (of_command(words, None, None, read)?, files)
        }
        BotSource::Java { path, class, read } => {
            let name = path.file_name().filter(|_| !path.is_dir());
            let packed = BotSource::Java {
                path: name.map(PathBuf::from).unwrap_or_default(),
                class: class.clone(),
                read: absolute(read)?,
            };
            (packed, player::files(path)?)
        }
        BotSource::Remote { entry } => (BotSource::Remote { entry: *entry }, BotFiles::default()),
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
) -> io::Result<BotSource> {
    Ok(BotSource::Command { command, base: PathBuf::new(), dir, build, read: absolute(read)? })
}

fn absolute(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    paths.iter().map(std::path::absolute).collect()
}
