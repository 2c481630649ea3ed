//! A `[[bot]]` table of a hill file, or a `bot.toml`, checked.

use std::ops::Range;
use std::path::{Path, PathBuf};

use dicehill_arena::BotName;
use toml::Spanned;

use super::own_terms::{given_keys, own_terms};
use super::raw::RawBot;
use super::text::ErrorAt;
use crate::files::text_value::{text_problem, url_problem};
use crate::{BotKind, FileError};

/// A bot of a hill file.
#[derive(Clone)]
pub(super) struct BotEntry {
    pub(super) name: BotName,
    pub(super) kind: BotKind,
    pub(super) author: Option<String>,
    pub(super) url: Option<String>,
    pub(super) votes: Option<i64>,
}

/// Checks a bot's table. `table` is its byte range, `folder` where its relative paths start.
pub(super) fn bot_entry(
    raw: &RawBot,
    table: Range<usize>,
    folder: &Path,
    at: &ErrorAt<'_>,
) -> Result<BotEntry, FileError> {
    entry_with_kind(raw, at, |name| BotTable { raw, table, folder, at }.kind(name))
}

/// Checks what does not depend on what runs the bot, which `kind` says.
pub(super) fn entry_with_kind(
    raw: &RawBot,
    at: &ErrorAt<'_>,
    kind: impl FnOnce(&BotName) -> Result<BotKind, FileError>,
) -> Result<BotEntry, FileError> {
    let name =
        BotName::new(raw.name.get_ref()).map_err(|error| at(raw.name.span(), error.to_string()))?;
    let text = |key, value: &Option<Spanned<String>>| {
        value.as_ref().map(|value| check_text(key, value, at)).transpose()
    };
    Ok(BotEntry {
        kind: kind(&name)?,
        author: text("author", &raw.author)?,
        url: raw.url.as_ref().map(|url| check_url(url, at)).transpose()?,
        votes: raw.votes.as_ref().map(|votes| *votes.get_ref()),
        name,
    })
}

/// The key that names what runs a bot, and its byte range.
pub(super) fn kind_key_of(raw: &RawBot) -> (&'static str, Option<Range<usize>>) {
    let RawBot { house, command, java, dir, .. } = raw;
    match (house, command, java) {
        (Some(house), _, _) => ("house", Some(house.span())),
        (_, Some(command), _) => ("command", Some(command.span())),
        (_, _, Some(java)) => ("java", Some(java.span())),
        (None, None, None) => ("dir", dir.as_ref().map(Spanned::span)),
    }
}

/// A bot's table before its kind is known.
struct BotTable<'a> {
    raw: &'a RawBot,
    /// The byte range of the table.
    table: Range<usize>,
    /// The folder to which its paths are relative.
    folder: &'a Path,
    at: &'a ErrorAt<'a>,
}

impl BotTable<'_> {
    /// What runs the bot.
    fn kind(&self, name: &BotName) -> Result<BotKind, FileError> {
        self.check_keys(self.kind_key(name)?)?;
        let Self { raw, at, .. } = self;
        match (&raw.house, &raw.command, &raw.java) {
            (Some(house), _, _) => Ok(BotKind::House(house.get_ref().clone())),
            (_, Some(command), _) => self.command(command),
            (_, _, Some(java)) => Ok(BotKind::Java {
                path: self.path(java),
                class: raw.class.as_ref().map(|class| class.get_ref().clone()),
                read: self.readable_paths(),
                own_terms: own_terms(raw, at)?,
            }),
            (None, None, None) => {
                let name = name.as_str();
                let message = format!(
                    "bot {name:?}: house, command, java or dir is missing; dir = \"...\" names a folder with a bot.toml"
                );
                Err(at(raw.name.span(), message))
            }
        }
    }

    /// The only key that names what runs the bot; an empty text if there is none.
    fn kind_key(&self, name: &BotName) -> Result<&'static str, FileError> {
        let Self { raw, at, .. } = self;
        let kinds = [
            ("house", raw.house.as_ref().map(Spanned::span)),
            ("command", raw.command.as_ref().map(Spanned::span)),
            ("java", raw.java.as_ref().map(Spanned::span)),
        ];
        let mut given = kinds.iter().filter(|(_, span)| span.is_some());
        let first = given.next();
        if let (Some((a, _)), Some((b, second))) = (first, given.next()) {
            let message = format!("bot {:?} is of two kinds: {a} and {b}", name.as_str());
            return Err(at(self.span_or_table(second.clone()), message));
        }
        Ok(first.map_or("", |(kind, _)| *kind))
    }

    /// Refuses keys that do not apply to a bot of this kind.
    fn check_keys(&self, kind: &str) -> Result<(), FileError> {
        let raw = self.raw;
        let others = [
            ("dir", raw.dir.as_ref().map(Spanned::span), &["command"][..]),
            ("build", raw.build.as_ref().map(Spanned::span), &["command"]),
            ("read", raw.read.as_ref().map(Spanned::span), &["command", "java"]),
            ("class", raw.class.as_ref().map(Spanned::span), &["java"]),
        ];
        for (key, span, kinds) in others {
            if span.is_some() && !kind.is_empty() && !kinds.contains(&kind) {
                return Err(self.no_such_key(key, kind, span));
            }
        }
        match given_keys(raw).next() {
            Some((key, span)) if kind == "house" => Err(self.no_such_key(key, kind, Some(span))),
            Some(_) | None => Ok(()),
        }
    }

    fn no_such_key(&self, key: &str, kind: &str, span: Option<Range<usize>>) -> FileError {
        let message = format!("{key}: not allowed for a bot with {kind} = ...");
        (self.at)(self.span_or_table(span), message)
    }

    fn command(&self, command: &Spanned<Vec<String>>) -> Result<BotKind, FileError> {
        let Self { raw, folder, at, .. } = self;
        if command.get_ref().is_empty() {
            return Err(at(command.span(), "command: is empty".to_owned()));
        }
        if let (Some(build), None) = (&raw.build, &raw.dir) {
            let message = "build: needs dir = \"...\", the folder to build".to_owned();
            return Err(at(build.span(), message));
        }
        Ok(BotKind::Command {
            command: command.get_ref().clone(),
            base: folder.to_path_buf(),
            dir: raw.dir.as_ref().map(|dir| self.path(dir)),
            build: raw.build.as_ref().map(|build| build.get_ref().clone()),
            read: self.readable_paths(),
            own_terms: own_terms(raw, at)?,
        })
    }

    fn path(&self, value: &Spanned<String>) -> PathBuf {
        self.folder.join(value.get_ref())
    }

    fn readable_paths(&self) -> Vec<PathBuf> {
        let paths = self.raw.read.iter().flat_map(Spanned::get_ref);
        paths.map(|path| self.folder.join(path)).collect()
    }

    fn span_or_table(&self, span: Option<Range<usize>>) -> Range<usize> {
        span.unwrap_or_else(|| self.table.clone())
    }
}

/// The value of a text key, which must be printable and not too long.
pub(super) fn check_text(
    key: &str,
    value: &Spanned<String>,
    at: &ErrorAt<'_>,
) -> Result<String, FileError> {
    let text = value.get_ref();
    match text_problem(key, text) {
        Some(problem) => Err(at(value.span(), problem)),
        None => Ok(text.clone()),
    }
}

/// The address of a bot's page, to which boards link.
fn check_url(value: &Spanned<String>, at: &ErrorAt<'_>) -> Result<String, FileError> {
    let url = value.get_ref();
    match url_problem(url) {
        Some(problem) => Err(at(value.span(), problem)),
        None => Ok(url.clone()),
    }
}
