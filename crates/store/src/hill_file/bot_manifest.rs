//! The `bot.toml` of a bot in its own folder, which may come from an untrusted author.

use std::fs::File;
use std::ops::Range;
use std::path::{Component, Path};

use dicehill_arena::BotName;
use dicehill_rules::{GameName, ParseGameNameError};
use toml::Spanned;

use super::bot_entry::{BotEntry, bot_entry};
use super::own_terms::given_keys;
use super::raw::RawBot;
use super::text::{ErrorAt, line_of, parse, read_bounded, utf8_text};
use crate::files::file_kind::MANIFEST;
use crate::{BotKind, FileError, did_you_mean};

/// A bot as the `bot.toml` in its folder describes it.
pub struct BotManifest {
    /// The bot's name.
    pub name: BotName,
    /// The game that it plays, if it is only one.
    pub game: Option<GameName>,
    /// The environment of the hill that it asks for.
    pub environment: Option<String>,
    /// What runs it.
    pub kind: BotKind,
    /// Its author.
    pub author: Option<String>,
    /// The address of its page.
    pub url: Option<String>,
}

impl BotManifest {
    /// The name of the file.
    pub const NAME: &'static str = MANIFEST;

    /// Reads the `bot.toml` in a folder, which has the keys of a `[[bot]]` table of a hill file. A command runs in a copy of
    /// the folder unless `dir` names another.
    ///
    /// The host trusts a hill file and does not trust this file: its paths must stay in the folder, and programs are
    /// named without a path.
    ///
    /// # Errors
    /// If it cannot be read, describes no bot, names an unknown game, or has a path that leads out of the folder.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join(Self::NAME);
        let text = utf8_text(&path, read_bounded(&path, open_without_links(&path)?)?)?;
        let mut raw: RawBot = parse(&path, &text)?;
        if raw.command.is_some() {
            raw.dir.get_or_insert_with(|| Spanned::new(0..0, String::new()));
        }
        let at = |span: Range<usize>, message: String| {
            FileError::at_line(&path, line_of(text.as_bytes(), span.start), message)
        };
        if let Some(votes) = &raw.votes {
            return Err(at(
                votes.span(),
                "votes: only the host's hill file may set them".to_owned(),
            ));
        }
        if let Some((key, span)) = given_keys(&raw).next() {
            return Err(at(span, format!("{key}: only the host's hill file may set it")));
        }
        check_inside(&raw, folder, &at)?;
        let game = raw.game.as_ref().map(|game| {
            let unknown = |error: ParseGameNameError| {
                let similar = did_you_mean(&error.0, GameName::ALL.map(GameName::name));
                at(game.span(), format!("game: {error}{similar}"))
            };
            game.get_ref().parse().map_err(unknown)
        });
        let game = game.transpose()?;
        let BotEntry { name, kind, author, url, .. } = bot_entry(&raw, 0..text.len(), folder, &at)?;
        let environment = raw.environment.map(Spanned::into_inner);
        Ok(Self { name, game, environment, kind, author, url })
    }
}

/// Opens an untrusted file. A link could lead to a file of another user, and opening a pipe could block.
#[cfg(unix)]
fn open_without_links(path: &Path) -> Result<File, FileError> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let no_file = || FileError::new(path, "is a link or not a regular file");
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP) => return Err(no_file()),
        Err(error) => return Err(FileError::new(path, std::io::Error::from(error))),
    };
    if file.metadata().is_ok_and(|meta| meta.is_file()) { Ok(file) } else { Err(no_file()) }
}

/// Opens a file that is no link. No bot of strangers is accepted on such a system, so that no one else changes it.
#[cfg(not(unix))]
fn open_without_links(path: &Path) -> Result<File, FileError> {
    let meta = std::fs::symlink_metadata(path).map_err(|error| FileError::new(path, error))?;
    if !meta.is_file() {
        return Err(FileError::new(path, "is a link or not a regular file"));
    }
    File::open(path).map_err(|error| FileError::new(path, error))
}

/// Refuses values that lead out of the bot's folder.
fn check_inside(raw: &RawBot, folder: &Path, at: &ErrorAt<'_>) -> Result<(), FileError> {
    if let Some(read) = &raw.read {
        let message = "read: only the host's hill file may set it".to_owned();
        return Err(at(read.span(), message));
    }
    let refuse = |key: &str, span: Range<usize>, value: &str| {
        let why = "leads out of the bot's folder, which is allowed only in a hill file";
        Err(at(span, format!("{key} = {value:?}: {why}")))
    };
    for (key, words) in [("command", &raw.command), ("build", &raw.build)] {
        for word in words.iter().flat_map(Spanned::get_ref) {
            if leaves_folder(Path::new(word)) {
                let span = words.as_ref().map_or(0..0, Spanned::span);
                let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy();
                if raw.environment.is_some() {
                    let message = format!(
                        "{key} = {word:?}: name a program of an environment without its folder: {name:?}"
                    );
                    return Err(at(span, message));
                }
                if let Some(command) =
                    words.as_ref().and_then(|words| of_environment(words.get_ref()))
                {
                    // Not every machine has a program without the version.
                    let name = if name == "python" { "python3".into() } else { name };
                    let message = format!(
                        "{key} = {word:?}: for the machine's own Python write {name:?}; for packages make a virtual \
                         environment in the bot's folder, with `python3 -m venv .venv`, and write command = {command:?}"
                    );
                    return Err(at(span, message));
                }
                return refuse(key, span, word);
            }
        }
    }
    for (key, path) in [("dir", &raw.dir), ("java", &raw.java)] {
        if let Some(path) = path {
            let text = path.get_ref();
            if leaves_folder(Path::new(text)) || is_linked_out(&folder.join(text), folder) {
                return refuse(key, path.span(), text);
            }
        }
    }
    Ok(())
}

/// The command with a virtual environment in the bot's folder, if it names the interpreter of what may be one elsewhere. Whether it
/// is one is not looked up: the author may be a stranger, who must not learn what is on this machine.
fn of_environment(command: &[String]) -> Option<Vec<String>> {
    let (program, arguments) = command.split_first()?;
    let place = Path::new(program);
    let name = place.file_name()?.to_string_lossy();
    let is_interpreter = place.parent()?.ends_with("bin") && name.starts_with("python");
    is_interpreter.then(|| [&[format!(".venv/bin/{name}")], arguments].concat())
}

/// Whether the components of a relative path lead out of the folder where it starts.
fn leaves_folder(path: &Path) -> bool {
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

/// Whether the path is a link, or leads through one, to a place outside the folder. A missing path does not.
fn is_linked_out(path: &Path, folder: &Path) -> bool {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (path.canonicalize(), here.canonicalize()) {
        (Ok(path), Ok(folder)) => !path.starts_with(folder),
        (Err(_), _) | (_, Err(_)) => false,
    }
}
