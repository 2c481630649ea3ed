//! What is to be started of an upload: as its `bot.toml` says, or as its files say themselves.

use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dicehill_arena::{BotName, printable};
use dicehill_store::{BotFile, BotKind, FileError};
use dicehill_temporary::Temporary;

use super::unpack::{UnpackError, unpack};

/// A bot that has come in: its files lie in a folder that is gone with it.
pub(crate) struct Incoming {
    folder: Temporary,
    bot: PathBuf,
    name: BotName,
}

/// Who brings what.
pub(crate) struct Brought {
    pub(crate) upload: File,
    /// As the visitor's file is called.
    pub(crate) file_name: Option<String>,
    /// The bot's name, where the visitor gives one.
    pub(crate) name: Option<String>,
}

/// Why an upload is no bot that may come in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoBot {
    #[error("the upload is refused: {0}")]
    Unpack(#[from] UnpackError),
    #[error("{0}")]
    Name(#[from] dicehill_arena::NameError),
    #[error("{}", printable(.0))]
    Recipe(String),
    #[error("bot.toml says that its name is {0:?}, and the form that it is {1:?}")]
    TwoNames(String, String),
    #[error("a house bot needs no upload: bring a program of your own")]
    House,
    #[error(
        "it is not clear what is to be started: put a bot.toml beside the files, or call the one to start main.py or \
         main.js"
    )]
    Unclear,
}

impl From<std::io::Error> for NoBot {
    fn from(error: std::io::Error) -> Self {
        Self::Unpack(UnpackError::Io(error))
    }
}

impl Incoming {
    /// Unpacks what was brought, and finds out what it is. Nothing of it is run.
    pub(crate) fn new(brought: Brought) -> Result<Self, NoBot> {
        let Brought { mut upload, file_name, name } = brought;
        let folder = Temporary::new()?;
        // Not even the users as whom bots run may look into it.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o700))?;
        let file_name = harmless(file_name.as_deref().unwrap_or_default());
        let unpacked = folder.path().join("unpacked");
        fs::create_dir(&unpacked)?;
        let top = unpack(&mut upload, &file_name, &unpacked)?;
        // Whoever reads the report sees this path, and no other.
        let bot = folder.path().join("bot");
        fs::rename(top, &bot)?;
        let wished = name.filter(|name| !name.trim().is_empty());
        if !bot.join(BotFile::NAME).exists() {
            write_recipe(&bot, &file_name, wished.as_deref())?;
        }
        let name = checked(&bot, wished.as_deref())?;
        Ok(Self { folder, bot, name })
    }

    /// Where everything of it is.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What it is called on a command line in that folder.
    pub(crate) fn word(&self) -> String {
        let name = self.bot.file_name().unwrap_or_default();
        format!("./{}", name.to_string_lossy())
    }

    pub(crate) const fn name(&self) -> &BotName {
        &self.name
    }
}

/// The bot's name, if its description names nothing that only a host may.
fn checked(bot: &Path, wished: Option<&str>) -> Result<BotName, NoBot> {
    let without_folders = |error: FileError| {
        let text = error.to_string();
        NoBot::Recipe(text.replace(&format!("{}/", bot.display()), ""))
    };
    let BotFile { name, kind, .. } = BotFile::read(bot).map_err(without_folders)?;
    match (kind, wished) {
        (BotKind::House(_), _) => Err(NoBot::House),
        (BotKind::Command { .. } | BotKind::Java { .. }, Some(wished))
            if wished.trim() != name.as_str() =>
        {
            Err(NoBot::TwoNames(name.to_string(), wished.to_owned()))
        }
        (BotKind::Command { .. } | BotKind::Java { .. }, _) => Ok(name),
    }
}

/// Describes a bot that brings no description.
fn write_recipe(bot: &Path, file_name: &str, wished: Option<&str>) -> Result<(), NoBot> {
    let start = start_of(bot)?;
    let stem = Path::new(file_name).file_stem().unwrap_or_default().to_string_lossy();
    let name = BotName::new(wished.map_or(&*stem, str::trim))?;
    // A name holds nothing that TOML and JSON would quote in two ways.
    let quoted = serde_json::Value::from(name.as_str());
    let mut file = File::options().write(true).create_new(true).open(bot.join(BotFile::NAME))?;
    Ok(write!(file, "name = {quoted}\n{start}\n")?)
}

/// How the files say that they are started.
fn start_of(bot: &Path) -> Result<String, NoBot> {
    let mut starts = Vec::new();
    for entry in fs::read_dir(bot)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && harmless(&name) == name {
            starts.extend(Start::of(&entry.path(), name)?);
        }
    }
    let is_main = |start: &&Start| ["main", "bot"].contains(&start.stem());
    let main = starts.iter().find(is_main).or(match &*starts {
        [only] => Some(only),
        _ => None,
    });
    match main {
        Some(start) => Ok(start.line()),
        None if !starts.is_empty() && starts.iter().all(|start| start.with == With::Java) => {
            Ok("java = \".\"".to_owned())
        }
        None => Err(NoBot::Unclear),
    }
}

/// A file that can be started.
struct Start {
    name: String,
    with: With,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum With {
    Interpreter(&'static str),
    Java,
    Itself,
}

impl Start {
    fn of(path: &Path, name: String) -> std::io::Result<Option<Self>> {
        let with = match path.extension().and_then(|extension| extension.to_str()) {
            Some("py") => With::Interpreter("python3"),
            Some("js" | "mjs" | "cjs") => With::Interpreter("node"),
            Some("java" | "jar") => With::Java,
            Some(_) | None if is_program(path)? => With::Itself,
            Some(_) | None => return Ok(None),
        };
        Ok(Some(Self { name, with }))
    }

    fn stem(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }

    fn line(&self) -> String {
        let Self { name, with } = self;
        match with {
            With::Interpreter(program) => format!("command = [\"{program}\", \"./{name}\"]"),
            With::Itself => format!("command = [\"./{name}\"]"),
            With::Java => format!("java = \"{name}\""),
        }
    }
}

/// Whether the system could start the file: it names its interpreter, or is a program.
fn is_program(path: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut head)?;
    Ok(head.starts_with(b"#!") || head.starts_with(b"\x7fELF"))
}

/// The visitor's name for a file without folders, if it is plain; ours with its ending otherwise.
fn harmless(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !name.is_empty()
        && name.len() <= 64
        && name.chars().all(is_plain)
        && !name.starts_with(['.', '-'])
    {
        return name.to_owned();
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "py" | "js" | "mjs" | "cjs" | "java" | "jar" => format!("bot.{extension}"),
        _ => "bot".to_owned(),
    }
}
