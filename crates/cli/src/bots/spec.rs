//! What a BOT on the command line stands for.

use std::path::{Path, PathBuf};

use dicehill_arena::{BotName, OwnTerms};
use dicehill_rules::GameName;
use dicehill_store::{BotKind, BotManifest, HillFile};

use super::house::house_names;
use crate::failure::Failure;

/// A bot that the command line names, before it is loaded.
pub(super) struct NamedBot {
    pub(super) name: BotName,
    pub(super) kind: BotKind,
    pub(super) author: Option<String>,
    pub(super) url: Option<String>,
}

/// The games that a BOT of the command line may play, as far as is known without starting it.
pub(crate) fn games_of(spec: &str) -> Result<Vec<GameName>, Failure> {
    if let Some((path, _)) = in_hill_file(spec) {
        return Ok(vec![HillFile::read(&path)?.game()]);
    }
    let BotKind::House(name) = named_bot(spec)?.kind else { return Ok(GameName::ALL.into()) };
    let plays = |game: &GameName| house_names(*game).contains(&name.as_str());
    let games: Vec<_> = GameName::ALL.into_iter().filter(plays).collect();
    if games.is_empty() {
        let message = format!("no such house bot: {name:?}; `dicehill bots` lists them");
        return Err(Failure::Usage(message));
    }
    Ok(games)
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

/// What a BOT stands for: a folder, file or command line if it has the form of one, else the name of a
/// house bot.
pub(super) fn named_bot(spec: &str) -> Result<NamedBot, Failure> {
    let path = Path::new(spec);
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let plain =
        |name: &str, kind| Ok(NamedBot { name: bot_name(name)?, kind, author: None, url: None });
    if let Some((_, name)) = in_hill_file(spec) {
        return plain(name, BotKind::House(name.to_owned()));
    }
    if path.is_dir() && spec.contains(['/', '.']) || path.join(BotManifest::NAME).is_file() {
        let BotManifest { name, kind, author, url } = BotManifest::read(path)?;
        return Ok(NamedBot { name, kind, author, url });
    }
    let script = |interpreter: &str| command(vec![interpreter.to_owned(), spec.to_owned()]);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_line = spec.contains(char::is_whitespace) && !path.is_file();
    if let Some("java" | "jar" | "py" | "js" | "mjs" | "cjs") = extension
        && !is_line
        && !path.is_file()
    {
        return Err(Failure::Usage(format!("{spec}: no such file")));
    }
    match extension {
        _ if is_line => {
            let words = shell_words::split(spec)
                .map_err(|error| Failure::Usage(format!("{spec:?}: {error}")))?;
            plain(&name_of_command(&words), command(words))
        }
        Some("java" | "jar") => {
            let path = path.to_owned();
            plain(
                &stem(),
                BotKind::Java {
                    path,
                    class: None,
                    read: Vec::new(),
                    own_terms: OwnTerms::default(),
                },
            )
        }
        Some("py") => plain(&stem(), script("python3")),
        Some("js" | "mjs" | "cjs") => plain(&stem(), script("node")),
        Some(_) | None if path.is_file() && spec.contains('/') => {
            plain(&stem(), command(vec![spec.to_owned()]))
        }
        Some(_) | None => plain(spec, BotKind::House(spec.to_owned())),
    }
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

/// The name of a bot after the first file among the arguments, or else after the program.
fn name_of_command(words: &[String]) -> String {
    let file = words.iter().skip(1).find(|word| Path::new(word).is_file());
    let named = file.or(words.first()).map(Path::new).and_then(Path::file_stem);
    named.unwrap_or_default().to_string_lossy().into_owned()
}
