//! A bot that lies in a folder, which may be a stranger's.

use std::fs::File;
use std::ops::Range;
use std::path::{Component, Path};

use dicehill_arena::BotName;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use toml::Spanned;

use super::bot_entry::{At, BotEntry, bot_entry};
use super::bot_kind::BotKind;
use super::raw::RawBot;
use super::text::{line_of, parse, read_bounded, text_of_bytes};
use crate::FileError;

/// A bot that lies in a folder, as its `bot.toml` describes it.
pub struct BotFile {
    /// Its name.
    pub name: BotName,
    /// What it plays with.
    pub kind: BotKind,
    /// Who wrote it.
    pub author: Option<String>,
    /// Where to read about it.
    pub url: Option<String>,
}

impl BotFile {
    /// The name of the file.
    pub const NAME: &'static str = "bot.toml";

    /// Reads the `bot.toml` in a folder: the keys of a `[[bot]]` of a hill file. A command works in
    /// the folder itself unless `dir` names another.
    ///
    /// A hill file is written by the host, but this file may be a stranger's: it names nothing outside
    /// its folder, and programs by their names alone.
    ///
    /// # Errors
    /// If it cannot be read, describes no bot, or one that leaves the folder.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join(Self::NAME);
        let text = text_of_bytes(&path, read_bounded(&path, open_without_links(&path)?)?)?;
        let mut raw: RawBot = parse(&path, &text)?;
        if raw.command.is_some() {
            raw.dir.get_or_insert_with(|| Spanned::new(0..0, String::new()));
        }
        let at = |span: Range<usize>, message: String| {
            FileError::at(&path, line_of(text.as_bytes(), span.start), message)
        };
        if let Some(votes) = &raw.votes {
            return Err(at(votes.span(), "votes: are entered by the host".to_owned()));
        }
        check_inside(&raw, folder, &at)?;
        let BotEntry { name, kind, author, url, .. } = bot_entry(&raw, 0..text.len(), folder, &at)?;
        Ok(Self { name, kind, author, url })
    }
}

/// Opens a stranger's file, which may neither be a link to somebody else's nor let us wait.
fn open_without_links(path: &Path) -> Result<File, FileError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let no_file = || FileError::new(path, "is a link or no regular file");
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP) => return Err(no_file()),
        Err(error) => return Err(FileError::new(path, std::io::Error::from(error))),
    };
    if file.metadata().is_ok_and(|meta| meta.is_file()) { Ok(file) } else { Err(no_file()) }
}

/// Refuses what leads out of a bot's folder.
fn check_inside(raw: &RawBot, folder: &Path, at: &At<'_>) -> Result<(), FileError> {
    if let Some(read) = &raw.read {
        let message = "read: only a hill file says what else a bot may read".to_owned();
        return Err(at(read.span(), message));
    }
    let refuse = |key: &str, span: Range<usize>, value: &str| {
        let why = "leads out of the bot's folder, which only a hill file may";
        Err(at(span, format!("{key} = {value:?}: {why}")))
    };
    for (key, words) in [("command", &raw.command), ("build", &raw.build)] {
        for word in words.iter().flat_map(Spanned::get_ref) {
            if leaves(Path::new(word)) {
                let span = words.as_ref().map_or(0..0, Spanned::span);
                return refuse(key, span, word);
            }
        }
    }
    for (key, path) in [("dir", &raw.dir), ("java", &raw.java)] {
        if let Some(path) = path {
            let text = path.get_ref();
            if leaves(Path::new(text)) || is_linked_out(&folder.join(text), folder) {
                return refuse(key, path.span(), text);
            }
        }
    }
    Ok(())
}

/// Whether a path, by its words, leads out of the folder where it begins.
fn leaves(path: &Path) -> bool {
    let mut depth = 0u32;
    path.components().any(|component| match component {
        Component::Normal(_) => {
            depth += 1;
            false
        }
        Component::CurDir => false,
        Component::ParentDir if depth > 0 => {
            depth -= 1;
            false
        }
        Component::ParentDir | Component::RootDir | Component::Prefix(_) => true,
    })
}

/// Whether links lead from the path to something outside the folder. What is not there is nowhere.
fn is_linked_out(path: &Path, folder: &Path) -> bool {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (path.canonicalize(), here.canonicalize()) {
        (Ok(path), Ok(folder)) => !path.starts_with(folder),
        (Err(_), _) | (_, Err(_)) => false,
    }
}
