//! What a BOT on the command line stands for.

use std::fs;
use std::path::{Path, PathBuf};

use dicehill_arena::{BotName, OwnTerms};
use dicehill_rules::GameName;
use dicehill_store::{
    BotKind, BotManifest, FileKind, HillFile, did_you_mean_file, hint_of_other_kind, interpreter_of,
};

use super::house::{house_names, similar_bot};
use crate::failure::Failure;

/// A bot that the command line names, before it is loaded.
pub(super) struct NamedBot {
    pub(super) name: BotName,
    /// The game that its `bot.toml` names.
    pub(super) game: Option<GameName>,
    /// The environment that its `bot.toml` asks for.
    pub(super) environment: Option<String>,
    pub(super) kind: BotKind,
    pub(super) author: Option<String>,
    pub(super) url: Option<String>,
}

/// The games that a BOT of the command line may play, as far as is known without starting it.
pub(crate) fn games_of(spec: &str) -> Result<Vec<GameName>, Failure> {
    if let Some((path, _)) = in_hill_file(spec) {
        return Ok(vec![HillFile::read(&path)?.game()]);
    }
    let NamedBot { game, kind, .. } = named_bot(spec)?;
    let BotKind::House(name) = kind else {
        return Ok(game.map_or(GameName::ALL.into(), |game| vec![game]));
    };
    let plays = |game: &GameName| house_names(*game).contains(&name.as_str());
    let games: Vec<_> = GameName::ALL.into_iter().filter(plays).collect();
    if games.is_empty() {
        let similar = similar_bot(&name, GameName::ALL.into_iter().flat_map(house_names));
        let message = format!("{name:?}: no such house bot; `dicehill bots` lists them{similar}");
        return Err(Failure::Usage(message));
    }
    Ok(games)
}

/// Whether only a BOT has this form, where a game or a hill file may stand too.
pub(super) fn has_form_of_bot(spec: &str) -> bool {
    let path = Path::new(spec);
    in_hill_file(spec).is_some()
        || path.is_dir()
        || is_script(path)
        || spec.contains(char::is_whitespace) && !path.exists()
        || is_house_bot(spec)
}

/// Whether this is the path of a file that a BOT may be, and a hill file too.
pub(super) fn is_program_path(spec: &str) -> bool {
    let path = Path::new(spec);
    spec.contains('/') && path.is_file() && path.extension().is_none_or(|end| end != "toml")
}

/// Whether a file with this name is started by an interpreter.
fn is_script(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("java" | "jar")) || interpreter_of(path).is_some()
}

pub(super) fn bot_name(text: &str) -> Result<BotName, Failure> {
    BotName::new(text).map_err(|error| Failure::Usage(error.to_string()))
}

/// The BOTs, with each hill file replaced by `HILL.toml#NAME` for each of its bots.
pub(super) fn expanded(bots: &[String]) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for spec in bots {
        let path = Path::new(spec);
        if path.extension().is_some_and(|extension| extension == "toml") && path.is_file() {
            let file = HillFile::read(path)?;
            all.extend(file.names().map(|name| format!("{spec}#{name}")));
        } else {
            all.push(spec.clone());
        }
    }
    Ok(all)
}

/// The parts of HILL.toml#NAME.
pub(super) fn in_hill_file(spec: &str) -> Option<(PathBuf, &str)> {
    let (path, name) = spec.split_once(".toml#")?;
    Some((PathBuf::from(format!("{path}.toml")), name))
}

/// The entry and the name in `remote:ENTRY:NAME`, with which the server names a bot that is connected to it.
fn remote_bot(spec: &str) -> Option<(i64, &str)> {
    let (entry, name) = spec.strip_prefix("remote:")?.split_once(':')?;
    Some((entry.parse().ok()?, name))
}

/// What a BOT stands for: a folder, file or command line if it has the form of one, else the name of a
/// house bot.
pub(super) fn named_bot(spec: &str) -> Result<NamedBot, Failure> {
    let path = Path::new(spec);
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let plain = |name: &str, kind| {
        Ok(NamedBot {
            name: bot_name(name)?,
            game: None,
            environment: None,
            kind,
            author: None,
            url: None,
        })
    };
    if let Some((_, name)) = in_hill_file(spec) {
        return plain(name, BotKind::House(name.to_owned()));
    }
    if let Some((entry, name)) = remote_bot(spec) {
        return plain(name, BotKind::Remote { entry });
    }
    if is_house_bot(spec) {
        return plain(spec, BotKind::House(spec.to_owned()));
    }
    if path.is_dir() && spec.contains(['/', '.']) || path.join(BotManifest::NAME).is_file() {
        if fs::symlink_metadata(path.join(BotManifest::NAME)).is_err() {
            if has_java(path) {
                let folder = path.canonicalize().unwrap_or_else(|_| path.to_owned());
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                return plain(&name, java(path));
            }
            let message = format!(
                "{spec}: a folder needs a bot.toml that says how its bot is started, such as name = \"Mine\" and \
                 command = [\"python3\", \"bot.py\"], or java = \".\" for players of the published interfaces"
            );
            return Err(Failure::Usage(message));
        }
        return Ok(BotManifest::read(path)?.into());
    }
    if let Some(manifest) = manifest_beside(path)? {
        return Ok(manifest.into());
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_line = spec.contains(char::is_whitespace) && !path.is_file();
    if is_script(path) && !is_line && !path.is_file() {
        return Err(Failure::Usage(format!("{spec}: no such file{}", did_you_mean_file(path))));
    }
    match extension {
        _ if is_line => {
            let words = shell_words::split(spec)
                .map_err(|error| Failure::Usage(format!("{spec:?}: {error}")))?;
            plain(&name_of_command(&words), command(words))
        }
        Some("java" | "jar") => plain(&stem(), java(path)),
        Some(_) | None if FileKind::of(path) == Some(FileKind::Archive) => Err(Failure::Usage(
            format!("{spec}: is an archive: unpack it, and name the bot's folder"),
        )),
        Some(_) if let Some(interpreter) = interpreter_of(path) => {
            plain(&stem(), command(vec![interpreter.to_owned(), spec.to_owned()]))
        }
        Some(_) | None if FileKind::of(path).is_some() => {
            // Hill files have been replaced by their bots.
            let hint = hint_of_other_kind(path, FileKind::HillFile);
            Err(Failure::Usage(format!("{spec}: not a bot{hint}")))
        }
        Some(_) | None if path.is_file() && spec.contains('/') => {
            plain(&stem(), command(vec![spec.to_owned()]))
        }
        Some(_) | None if spec.contains('/') && path.exists() => {
            Err(Failure::Usage(format!("{spec}: not a bot: neither a file nor a folder")))
        }
        Some(_) | None if spec.contains('/') => {
            let similar = did_you_mean_file(path);
            Err(Failure::Usage(format!("{spec}: no such file or folder{similar}")))
        }
        Some(_) | None if spec.parse::<GameName>().is_ok() => {
            Err(Failure::Usage(format!("{spec}: the game comes before the bots")))
        }
        Some(_) | None if path.is_file() => {
            let message = format!(
                "{spec}: to start this file, write ./{spec} if it is a program, or name its interpreter, such as \
                 \"ruby {spec}\""
            );
            Err(Failure::Usage(message))
        }
        Some(_) | None if path.is_dir() && !is_house_bot(spec) => {
            Err(Failure::Usage(format!("{spec}: to use this folder, write ./{spec}")))
        }
        Some(_) | None => plain(spec, BotKind::House(spec.to_owned())),
    }
}

/// Whether a folder has a source or a jar of a player for the published Java interfaces.
fn has_java(folder: &Path) -> bool {
    let is_java = |path: &Path| path.extension().is_some_and(|end| end == "java" || end == "jar");
    fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| is_java(&entry.path())))
}

/// Whether this is the name of a house bot of any game. It stands for the house bot even if a folder has the same name.
fn is_house_bot(spec: &str) -> bool {
    GameName::ALL.into_iter().any(|game| house_names(game).contains(&spec))
}

/// The remark on a house bot whose name is also that of a bot's folder.
pub(super) fn house_bot_note(spec: &str) -> Option<String> {
    let is_folder_too = is_house_bot(spec) && Path::new(spec).join(BotManifest::NAME).is_file();
    is_folder_too.then(|| format!("{spec} is the house bot; ./{spec} is the bot in the folder"))
}

impl From<BotManifest> for NamedBot {
    fn from(manifest: BotManifest) -> Self {
        let BotManifest { name, game, environment, kind, author, url } = manifest;
        Self { name, game, environment, kind, author, url }
    }
}

/// The `bot.toml` in the folder of a script, if it starts or builds this script.
fn manifest_beside(script: &Path) -> Result<Option<BotManifest>, Failure> {
    let Some(folder) = script.parent() else { return Ok(None) };
    if !is_script(script) || !script.is_file() || !folder.join(BotManifest::NAME).is_file() {
        return Ok(None);
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let manifest = BotManifest::read(folder)?;
    let file = script.canonicalize().ok();
    let is_this = |word: &String| folder.join(word).canonicalize().ok() == file;
    let starts_it = match &manifest.kind {
        BotKind::House(_) | BotKind::Remote { .. } => false,
        BotKind::Command { command, build, .. } => {
            command.iter().chain(build.iter().flatten()).any(is_this)
        }
        BotKind::Java { path, .. } => path.canonicalize().ok() == file,
    };
    Ok(starts_it.then_some(manifest))
}

/// A command whose files are relative to the current folder.
fn command(command: Vec<String>) -> BotKind {
    BotKind::Command {
        command,
        base: PathBuf::new(),
        dir: None,
        build: None,
        read: Vec::new(),
        own_terms: OwnTerms::default(),
    }
}

/// A player for a published Java interface.
fn java(path: &Path) -> BotKind {
    BotKind::Java {
        path: path.to_owned(),
        class: None,
        read: Vec::new(),
        own_terms: OwnTerms::default(),
    }
}

/// The name of a bot after the first file among the arguments, or else after the program.
fn name_of_command(words: &[String]) -> String {
    let file = words.iter().skip(1).find(|word| Path::new(word).is_file());
    let named = file.or(words.first()).map(Path::new).and_then(Path::file_stem);
    named.unwrap_or_default().to_string_lossy().into_owned()
}
