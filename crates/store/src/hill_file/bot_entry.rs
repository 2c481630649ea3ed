//! A bot as a hill file, or its own folder, describes it.

use std::ops::Range;
use std::path::Path;

use dicehill_arena::{BotName, is_printable};
use toml::Spanned;

use super::bot_kind::BotKind;
use super::raw::RawBot;
use crate::FileError;

/// The longest text of a key.
const LONGEST_TEXT: usize = 1000;

/// How an error is made at a place in the text.
pub(super) type At<'a> = dyn Fn(Range<usize>, String) -> FileError + 'a;

/// A bot of a hill file.
#[derive(Clone)]
pub(super) struct BotEntry {
    pub(super) name: BotName,
    pub(super) kind: BotKind,
    pub(super) author: Option<String>,
    pub(super) url: Option<String>,
    pub(super) votes: Option<i64>,
}

pub(super) fn bot_entry(
    raw: &RawBot,
    whole: Range<usize>,
    folder: &Path,
    at: &At<'_>,
) -> Result<BotEntry, FileError> {
    let name =
        BotName::new(raw.name.get_ref()).map_err(|error| at(raw.name.span(), error.to_string()))?;
    let text = |key, value: &Option<Spanned<String>>| {
        value.as_ref().map(|value| check_text(key, value, at)).transpose()
    };
    Ok(BotEntry {
        kind: BotText { raw, whole, folder, at }.kind(&name)?,
        author: text("author", &raw.author)?,
        url: raw.url.as_ref().map(|url| check_url(url, at)).transpose()?,
        votes: raw.votes.as_ref().map(|votes| *votes.get_ref()),
        name,
    })
}

/// The key that says what a bot plays with.
pub(super) fn key_of(raw: &RawBot) -> (&'static str, Option<Range<usize>>) {
    let RawBot { house, command, java, .. } = raw;
    match (house, command, java) {
        (Some(house), _, _) => ("house", Some(house.span())),
        (_, Some(command), _) => ("command", Some(command.span())),
        (_, _, java) => ("java", java.as_ref().map(Spanned::span)),
    }
}

/// A bot as somebody wrote it down.
struct BotText<'a> {
    raw: &'a RawBot,
    /// Where it stands.
    whole: Range<usize>,
    /// Where its paths begin.
    folder: &'a Path,
    at: &'a At<'a>,
}

impl BotText<'_> {
    /// What it plays with; it must be of one kind alone.
    fn kind(&self, name: &BotName) -> Result<BotKind, FileError> {
        let Self { raw, whole, folder, at } = self;
        let span = |value: Option<Range<usize>>| value.unwrap_or_else(|| whole.clone());
        let kinds = [
            ("house", raw.house.as_ref().map(Spanned::span)),
            ("command", raw.command.as_ref().map(Spanned::span)),
            ("java", raw.java.as_ref().map(Spanned::span)),
        ];
        let mut given = kinds.iter().filter(|(_, span)| span.is_some());
        let first = given.next();
        if let (Some((a, _)), Some((b, second))) = (first, given.next()) {
            let message = format!("bot {:?} is of two kinds: {a} and {b}", name.as_str());
            return Err(at(span(second.clone()), message));
        }
        let others = [
            ("dir", raw.dir.as_ref().map(Spanned::span), &["command"][..]),
            ("build", raw.build.as_ref().map(Spanned::span), &["command"]),
            ("read", raw.read.as_ref().map(Spanned::span), &["command", "java"]),
            ("class", raw.class.as_ref().map(Spanned::span), &["java"]),
        ];
        let kind = first.map_or("", |(kind, _)| *kind);
        for (key, value, kinds) in others {
            if value.is_some() && !kind.is_empty() && !kinds.contains(&kind) {
                let message = format!("{key}: a bot with {kind} = ... takes no such key");
                return Err(at(span(value), message));
            }
        }
        let path = |value: &Spanned<String>| folder.join(value.get_ref());
        let texts = |value: &Spanned<Vec<String>>| value.get_ref().clone();
        let read = raw.read.iter().flat_map(Spanned::get_ref).map(|one| folder.join(one)).collect();
        match (&raw.house, &raw.command, &raw.java) {
            (Some(house), _, _) => Ok(BotKind::House(house.get_ref().clone())),
            (_, Some(command), _) => {
                if command.get_ref().is_empty() {
                    return Err(at(command.span(), "command: is empty".to_owned()));
                }
                if let (Some(build), None) = (&raw.build, &raw.dir) {
                    return Err(at(
                        build.span(),
                        "build: needs dir = \"...\", which is built".to_owned(),
                    ));
                }
                Ok(BotKind::Command {
                    command: texts(command),
                    base: folder.to_path_buf(),
                    dir: raw.dir.as_ref().map(path),
                    build: raw.build.as_ref().map(texts),
                    read,
                })
            }
            (_, _, Some(java)) => Ok(BotKind::Java {
                path: path(java),
                class: raw.class.as_ref().map(|class| class.get_ref().clone()),
                read,
            }),
            (None, None, None) => Err(at(
                raw.name.span(),
                format!(
                    "bot {:?} has nothing to play with: house, command or java is missing",
                    name.as_str()
                ),
            )),
        }
    }
}

pub(super) fn check_text(
    key: &str,
    value: &Spanned<String>,
    at: &At<'_>,
) -> Result<String, FileError> {
    let text = value.get_ref();
    if let Some(character) = text.chars().find(|c| !is_printable(*c)) {
        let code = u32::from(character);
        let message = format!("{key} = {text:?}: holds the unprintable character U+{code:04X}");
        Err(at(value.span(), message))
    } else if text.chars().count() > LONGEST_TEXT {
        Err(at(value.span(), format!("{key}: longer than {LONGEST_TEXT} characters")))
    } else {
        Ok(text.clone())
    }
}

/// The address of a page that can be read about a bot: boards make a link of it.
fn check_url(value: &Spanned<String>, at: &At<'_>) -> Result<String, FileError> {
    let url = check_text("url", value, at)?;
    let refuse = |why: String| Err(at(value.span(), format!("url = {url:?}: {why}")));
    let address = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    if address.is_none_or(str::is_empty) {
        return refuse("must begin with https:// or http://".to_owned());
    }
    match url.chars().find(|c| " \"<>\\^`{|}".contains(*c)) {
        Some(character) => refuse(format!("{character:?} stands in no address")),
        None => Ok(url),
    }
}
