//! The `bot.toml` of an upload: its own, or one written from its files.

use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use dicehill_arena::{BotName, MisleadingName, NameError, printable};
use dicehill_rules::GameName;
use dicehill_store::{
    BotKind, BotManifest, FileDigest, FileError, StoredEntry, StoredUpload, interpreter_of,
};
use dicehill_temporary::TemporaryFolder;

use super::unpack::unpack;
use super::unpack_error::UnpackError;
use crate::model::host_paths::without_host_paths;

/// An uploaded bot. Dropping it removes the folder with its files.
pub(super) struct UploadedBot {
    folder: TemporaryFolder,
    bot: PathBuf,
    name: BotName,
    environment: Option<String>,
    /// The other texts that visitors see: the author and the home page.
    texts: Vec<String>,
    /// The game that it plays, if it names one.
    game: Option<GameName>,
    /// The entry of a bot that stays on its author's machine; then there are no files.
    remote: Option<i64>,
}

/// What the form of an upload contains.
pub(super) struct Upload {
    pub(super) file: File,
    /// The name of the file on the client's machine.
    pub(super) file_name: Option<String>,
    /// The bot's name, if one was entered.
    pub(super) name: Option<String>,
}

/// Why an upload is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum InvalidUpload {
    #[error("the upload is refused: {0}")]
    Unpack(#[from] UnpackError),
    #[error("{0}")]
    Name(#[from] NameError),
    #[error("{0}")]
    Misleading(#[from] MisleadingName),
    #[error("{}", printable(.0))]
    Manifest(String),
    #[error("bot.toml names the bot {0:?}, but the form names it {1:?}")]
    TwoNames(String, String),
    #[error("a house bot cannot be uploaded: upload a program of your own")]
    House,
    #[error(
        "it is not clear which program to start: add a bot.toml, or name the program main.py or main.js; \
         a script in another language needs a first line with its interpreter, such as #!/usr/bin/env ruby"
    )]
    Unclear,
}

impl InvalidUpload {
    /// Whether the machine is at fault, not the upload.
    pub(super) const fn is_of_the_machine(&self) -> bool {
        matches!(self, Self::Unpack(UnpackError::Io(_)))
    }
}

impl From<std::io::Error> for InvalidUpload {
    fn from(error: std::io::Error) -> Self {
        Self::Unpack(UnpackError::Io(error))
    }
}

impl UploadedBot {
    /// Unpacks an upload, and reads or writes its `bot.toml`. Nothing of it is run.
    ///
    /// # Errors
    /// If the upload is refused, or cannot be written.
    pub(super) fn new(upload: Upload) -> Result<Self, InvalidUpload> {
        let Upload { mut file, file_name, name } = upload;
        let folder = TemporaryFolder::new()?;
        // The users as whom bots run must not read it either.
        #[cfg(unix)]
        fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
        let file_name = safe_file_name(file_name.as_deref().unwrap_or_default());
        let unpacked = folder.path().join("unpacked");
        fs::create_dir(&unpacked)?;
        let top = unpack(&mut file, &file_name, &unpacked)?;
        // This path is the only one in the report.
        let bot = folder.path().join("bot");
        fs::rename(top, &bot)?;
        let entered_name = name.filter(|name| !name.trim().is_empty());
        if !bot.join(BotManifest::NAME).exists() {
            write_manifest(&bot, &file_name, entered_name.as_deref())?;
        }
        let BotManifest { name, environment, game, author, url, .. } =
            read_manifest(&bot, entered_name.as_deref())?;
        name.check_not_misleading()?;
        let texts = author.into_iter().chain(url).collect();
        Ok(Self { folder, bot, name, environment, texts, game, remote: None })
    }

    /// A bot that stays on its author's machine.
    fn remote(entry: i64, name: &str) -> Result<Self, InvalidUpload> {
        let folder = TemporaryFolder::new()?;
        let bot = folder.path().to_owned();
        let name = BotName::new(name)?;
        let (texts, remote) = (Vec::new(), Some(entry));
        Ok(Self { folder, bot, name, environment: None, texts, game: None, remote })
    }

    /// Unpacks an upload that waits in the queue. Nothing of it is run.
    ///
    /// # Errors
    /// If the upload is refused, or cannot be written.
    pub(super) fn stored(entry: &StoredEntry, upload: StoredUpload) -> Result<Self, InvalidUpload> {
        if upload.is_remote() {
            return Self::remote(entry.id, &entry.bot);
        }
        let StoredUpload { file_name, name, content } = upload;
        let mut file = tempfile::tempfile()?;
        file.write_all(&content)?;
        file.rewind()?;
        Self::new(Upload { file, file_name: Some(file_name), name })
    }

    /// The folder that holds everything of the upload.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where to cache what is made of it. It is removed with the upload, whatever becomes of the bot.
    pub(super) fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// The bot as an argument of a command that runs in that folder.
    pub(super) fn argument(&self) -> String {
        if let Some(entry) = self.remote {
            return format!("remote:{entry}:{}", self.name);
        }
        let name = self.bot.file_name().unwrap_or_default();
        format!("./{}", name.to_string_lossy())
    }

    /// The entry of a bot that stays on its author's machine.
    pub(super) const fn remote_entry(&self) -> Option<i64> {
        self.remote
    }

    /// All its files; none if one of them is neither a folder nor a plain file.
    pub(super) fn files(&self) -> std::io::Result<Vec<FileDigest>> {
        let mut files = Vec::new();
        let mut folders = vec![self.bot.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let meta = fs::symlink_metadata(&path)?;
                let place = path.strip_prefix(&self.bot).unwrap_or(&path).to_owned();
                if meta.is_dir() {
                    folders.push(path);
                } else if meta.is_file() {
                    files.push(FileDigest::new(place, is_executable(&meta), &fs::read(&path)?));
                } else {
                    return Ok(Vec::new());
                }
            }
        }
        Ok(files)
    }

    pub(super) const fn name(&self) -> &BotName {
        &self.name
    }

    /// The game that it plays, if it names one.
    pub(super) const fn game(&self) -> Option<GameName> {
        self.game
    }

    /// The author and the home page, as visitors see them.
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The environment of the hill that it asks for.
    pub(super) fn environment(&self) -> Option<&str> {
        self.environment.as_deref()
    }
}

/// Reads the bot's name and environment from its `bot.toml`, which must not contain anything that only a host may set.
fn read_manifest(bot: &Path, entered_name: Option<&str>) -> Result<BotManifest, InvalidUpload> {
    let without_folders = |error: FileError| {
        let text = error.to_string();
        InvalidUpload::Manifest(without_host_paths(
            &text.replace(&format!("{}/", bot.display()), ""),
        ))
    };
    let manifest = BotManifest::read(bot).map_err(without_folders)?;
    let name = &manifest.name;
    match (&manifest.kind, entered_name) {
        (BotKind::House(_) | BotKind::Remote { .. }, _) => Err(InvalidUpload::House),
        (BotKind::Command { .. } | BotKind::Java { .. }, Some(entered_name))
            if entered_name.trim() != name.as_str() =>
        {
            Err(InvalidUpload::TwoNames(name.to_string(), entered_name.to_owned()))
        }
        (BotKind::Command { .. } | BotKind::Java { .. }, _) => Ok(manifest),
    }
}

/// Writes the `bot.toml` of a bot that has none.
fn write_manifest(
    bot: &Path,
    file_name: &str,
    entered_name: Option<&str>,
) -> Result<(), InvalidUpload> {
    let start = find_start_line(bot)?;
    let stem = Path::new(file_name).file_stem().unwrap_or_default().to_string_lossy();
    let name = BotName::new(entered_name.map_or(&*stem, str::trim))?;
    // For the characters of a name, TOML and JSON quote in the same way.
    let quoted = serde_json::Value::from(name.as_str());
    let mut file =
        File::options().write(true).create_new(true).open(bot.join(BotManifest::NAME))?;
    Ok(write!(file, "name = {quoted}\n{start}\n")?)
}

/// The line of a `bot.toml` that starts these files.
fn find_start_line(bot: &Path) -> Result<String, InvalidUpload> {
    let mut starts = Vec::new();
    for entry in fs::read_dir(bot)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && safe_file_name(&name) == name {
            starts.extend(StartFile::of(&entry.path(), name)?);
        }
    }
    let is_main = |start: &&StartFile| ["main", "bot"].contains(&start.stem());
    let main = starts.iter().find(is_main).or(match &*starts {
        [only] => Some(only),
        _ => None,
    });
    match main {
        Some(start) => Ok(start.line()),
        None if !starts.is_empty()
            && starts.iter().all(|start| start.launcher == Launcher::Java) =>
        {
            Ok("java = \".\"".to_owned())
        }
        None => Err(InvalidUpload::Unclear),
    }
}

/// A file that can be started.
struct StartFile {
    name: String,
    launcher: Launcher,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Launcher {
    Interpreter(&'static str),
    Java,
    Itself,
}

impl StartFile {
    fn of(path: &Path, name: String) -> std::io::Result<Option<Self>> {
        let launcher = match path.extension().and_then(|extension| extension.to_str()) {
            Some("java" | "jar") => Launcher::Java,
            Some(_) if let Some(interpreter) = interpreter_of(path) => {
                Launcher::Interpreter(interpreter)
            }
            Some(_) | None if is_program(path)? => Launcher::Itself,
            Some(_) | None => return Ok(None),
        };
        Ok(Some(Self { name, launcher }))
    }

    fn stem(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }

    fn line(&self) -> String {
        let Self { name, launcher } = self;
        match launcher {
            Launcher::Interpreter(program) => format!("command = [\"{program}\", \"./{name}\"]"),
            Launcher::Itself => format!("command = [\"./{name}\"]"),
            Launcher::Java => format!("java = \"{name}\""),
        }
    }
}

#[cfg(unix)]
fn is_executable(meta: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0
}

/// Other systems have no such mark.
#[cfg(not(unix))]
fn is_executable(_meta: &fs::Metadata) -> bool {
    false
}

/// Whether the system can execute the file: a script with `#!`, or an ELF program.
fn is_program(path: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut head)?;
    Ok(head.starts_with(b"#!") || head.starts_with(b"\x7fELF"))
}

/// The last part of a client's file name if it is plain; otherwise `bot` with its extension.
pub(super) fn safe_file_name(name: &str) -> String {
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
        "py" | "js" | "mjs" | "cjs" | "pl" | "rb" | "sh" | "java" | "jar" => {
            format!("bot.{extension}")
        }
        _ => "bot".to_owned(),
    }
}
