//! Hill files: TOML, as somebody wrote it, turned into what can be played.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dicehill_arena::{
    BotName, Entrant, FormatName, HillDraft, HillError, Limits, Memory, Place, Program,
    is_printable,
};
use dicehill_rules::{Game, GameName};
use serde::Deserialize;
use toml::Spanned;

use crate::FileError;

/// The longest time limit: a day, in milliseconds.
const LONGEST_MS: i64 = 86_400_000;
/// The largest memory limit: a tebibyte, in mebibytes.
const LARGEST_MB: i64 = 1 << 20;
/// The longest hill file, in bytes: room for some ten thousand bots.
const LONGEST_FILE: u64 = 1 << 22;
/// The longest text of a key.
const LONGEST_TEXT: usize = 1000;
/// Characters of a line that an error repeats.
const QUOTED: usize = 60;
/// What the parser calls things, and what somebody who writes a hill file calls them.
const PLAIN_WORDS: [(&str, &str); 5] = [
    ("unknown field", "unknown key"),
    ("missing field", "missing key"),
    (" as i128", ""),
    ("expected i64", "expected a whole number of 64 bits"),
    ("expected a sequence", "expected [[bot]]"),
];

/// A hill file that has been read, apart from what only its game can check.
pub struct HillFile {
    path: PathBuf,
    text: String,
    raw: RawHill,
    game: GameName,
    bots: Vec<BotEntry>,
}

/// A bot of a hill file.
#[derive(Clone)]
struct BotEntry {
    name: BotName,
    house: String,
    author: Option<String>,
    url: Option<String>,
    votes: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHill {
    name: Option<Spanned<String>>,
    game: Option<Spanned<String>>,
    rules: Option<Spanned<String>>,
    format: Option<Spanned<String>>,
    seats: Option<Spanned<i64>>,
    challenger: Option<Spanned<String>>,
    games: Option<Spanned<i64>>,
    seed: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    #[serde(default)]
    limits: RawLimits,
    #[serde(default, rename = "bot")]
    bots: Vec<Spanned<RawBot>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct RawLimits {
    start_ms: Option<Spanned<i64>>,
    move_ms: Option<Spanned<i64>>,
    memory_mb: Option<Spanned<i64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[bot]] table")]
struct RawBot {
    name: Spanned<String>,
    house: Option<Spanned<String>>,
    command: Option<Spanned<toml::Value>>,
    java: Option<Spanned<toml::Value>>,
    dir: Option<Spanned<toml::Value>>,
    build: Option<Spanned<toml::Value>>,
    read: Option<Spanned<toml::Value>>,
    class: Option<Spanned<toml::Value>>,
    author: Option<Spanned<String>>,
    url: Option<Spanned<String>>,
    votes: Option<Spanned<i64>>,
}

impl HillFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read or is no hill file: unknown keys, wrong types, unknown games, names that
    /// cannot be printed, bots of no kind, of two kinds, or of a kind that does not exist yet.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let bytes = read_bounded(path)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
            FileError::at(path, line, "not UTF-8 text")
        })?;
        let raw: RawHill =
            toml::from_str(&text).map_err(|error| parse_error(path, &text, &error))?;
        let at = |span: Range<usize>, message: String| {
            FileError::at(path, line_of(text.as_bytes(), span.start), message)
        };
        let Some(game) = &raw.game else {
            let games = GameName::ALL.map(|game| format!("game = {:?}", game.name()));
            return Err(FileError::new(path, format!("{} is missing", games.join(" or "))));
        };
        let game =
            game.get_ref().parse().map_err(|error: dicehill_rules::ParseGameNameError| {
                at(game.span(), error.to_string())
            })?;
        let bots = raw.bots.iter().map(|bot| bot_entry(bot, &at)).collect::<Result<_, _>>()?;
        Ok(Self { path: path.to_owned(), text, raw, game, bots })
    }

    /// The game that is played.
    #[must_use]
    pub const fn game(&self) -> GameName {
        self.game
    }

    /// The seed, if the file has one.
    #[must_use]
    pub fn seed(&self) -> Option<&str> {
        self.raw.seed.as_ref().map(|seed| seed.get_ref().as_str())
    }

    /// What the file says, with `seed` in place of its own and `resolve` to find a house bot by its
    /// name.
    ///
    /// # Errors
    /// If a value stands for nothing that there is.
    ///
    /// # Panics
    /// If `G` is not the game of the file.
    pub fn draft<G: Game>(
        &self,
        seed: String,
        resolve: impl Fn(&str) -> Result<Arc<dyn Program<G>>, String>,
    ) -> Result<HillDraft<G>, FileError> {
        assert_eq!(G::NAME, self.game.name(), "the game of the hill file");
        let RawHill { name, rules, format, seats, challenger, games, memory, .. } = &self.raw;
        Ok(HillDraft {
            name: match name {
                Some(name) => self.text_of("name", name)?,
                None => self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            },
            rules: self.choice("rules", rules.as_ref(), G::RULES, ToString::to_string)?,
            format: self
                .choice("format", format.as_ref(), &FormatName::ALL, |f| f.name().into())?,
            seats: seats.as_ref().map(|seats| *seats.get_ref()),
            challenger: challenger.as_ref().map(|name| name.get_ref().clone()),
            games: games.as_ref().map_or(HillDraft::<G>::USUAL_GAMES, |games| *games.get_ref()),
            seed,
            memory: self.choice("memory", memory.as_ref(), &Memory::ALL, |m| m.name().into())?,
            limits: self.limits()?,
            entrants: (0..self.bots.len())
                .map(|index| self.entrant_at(index, &resolve))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Why the draft cannot be played, at its place in the file.
    #[must_use]
    pub fn locate(&self, error: &HillError) -> FileError {
        self.error_at(self.span_of(error.place()), error)
    }

    /// The bot with this name, with `resolve` to find a house bot by its name.
    ///
    /// # Errors
    /// If there is none, or it cannot play.
    pub fn entrant<G: Game>(
        &self,
        name: &str,
        resolve: impl Fn(&str) -> Result<Arc<dyn Program<G>>, String>,
    ) -> Result<Entrant<G>, FileError> {
        match self.bots.iter().position(|bot| bot.name.as_str() == name) {
            Some(index) => self.entrant_at(index, resolve),
            None => Err(FileError::new(&self.path, format!("has no bot {name:?}"))),
        }
    }

    fn entrant_at<G: Game>(
        &self,
        index: usize,
        resolve: impl Fn(&str) -> Result<Arc<dyn Program<G>>, String>,
    ) -> Result<Entrant<G>, FileError> {
        let BotEntry { name, house, author, url, votes } = self.bots[index].clone();
        let span = self.raw.bots[index].get_ref().house.as_ref().map(Spanned::span);
        let program =
            resolve(&house).map_err(|message| self.error_at(span, format!("house = {message}")))?;
        Ok(Entrant { name, program, author, url, votes })
    }

    fn limits(&self) -> Result<Limits, FileError> {
        let usual = Limits::default();
        let RawLimits { start_ms, move_ms, memory_mb } = &self.raw.limits;
        Ok(Limits {
            start_ms: self.limit("start_ms", start_ms.as_ref(), LONGEST_MS, usual.start_ms)?,
            move_ms: self.limit("move_ms", move_ms.as_ref(), LONGEST_MS, usual.move_ms)?,
            memory_mb: self.limit("memory_mb", memory_mb.as_ref(), LARGEST_MB, usual.memory_mb)?,
        })
    }

    fn limit(
        &self,
        key: &str,
        value: Option<&Spanned<i64>>,
        most: i64,
        usual: u64,
    ) -> Result<u64, FileError> {
        let Some(value) = value else { return Ok(usual) };
        let number = *value.get_ref();
        if (1..=most).contains(&number) {
            Ok(number.unsigned_abs())
        } else {
            let message = format!("{key} = {number}: must be 1 to {most}");
            Err(self.error_at(Some(value.span()), message))
        }
    }

    /// The choice that `value` names, or the first one.
    fn choice<T: Copy + Default>(
        &self,
        key: &str,
        value: Option<&Spanned<String>>,
        choices: &[T],
        name: impl Fn(&T) -> String,
    ) -> Result<T, FileError> {
        let Some(value) = value else { return Ok(T::default()) };
        let text = value.get_ref();
        choices.iter().copied().find(|choice| name(choice) == *text).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(&name).collect();
            let message = format!("{key} = {text:?}: must be {}", names.join(" or "));
            self.error_at(Some(value.span()), message)
        })
    }

    fn text_of(&self, key: &str, value: &Spanned<String>) -> Result<String, FileError> {
        check_text(key, value, &|span, message| self.error_at(Some(span), message))
    }

    fn span_of(&self, place: Place) -> Option<Range<usize>> {
        let raw = &self.raw;
        match place {
            // There are too few or too many bots for a table, whose size may have been asked for.
            Place::Hill => raw.seats.as_ref().map(Spanned::span),
            Place::Key("games") => raw.games.as_ref().map(Spanned::span),
            Place::Key("seats") => raw.seats.as_ref().map(Spanned::span),
            Place::Key("challenger") => raw.challenger.as_ref().map(Spanned::span),
            Place::Key("memory") => raw.memory.as_ref().map(Spanned::span),
            Place::Key(_) => None,
            Place::Bot(index, key) => {
                let bot = raw.bots[index].get_ref();
                let votes = bot.votes.as_ref().map(Spanned::span);
                votes.filter(|_| key == "votes").or_else(|| Some(bot.name.span()))
            }
        }
    }

    fn error_at(&self, span: Option<Range<usize>>, message: impl std::fmt::Display) -> FileError {
        match span {
            Some(span) => {
                FileError::at(&self.path, line_of(self.text.as_bytes(), span.start), message)
            }
            None => FileError::new(&self.path, message),
        }
    }
}

/// What the parser refuses, behind the beginning of the line in which it stands.
fn parse_error(path: &Path, text: &str, error: &toml::de::Error) -> FileError {
    let mut message = error.message().trim().replace('\n', ", ");
    for (technical, plain) in PLAIN_WORDS {
        message = message.replace(technical, plain);
    }
    let Some(span) = error.span() else { return FileError::new(path, message) };
    let line = line_of(text.as_bytes(), span.start);
    match text.lines().nth(line - 1).map(str::trim) {
        None | Some("") => FileError::at(path, line, message),
        Some(written) => {
            let quoted: String = written.chars().take(QUOTED).collect();
            let dots = if quoted.len() < written.len() { "..." } else { "" };
            FileError::at(path, line, format!("{quoted}{dots}: {message}"))
        }
    }
}

/// The file's bytes, unless they are far more than a hill file has.
fn read_bounded(path: &Path) -> Result<Vec<u8>, FileError> {
    let failed = |error: std::io::Error| FileError::new(path, error);
    let mut bytes = Vec::new();
    File::open(path)
        .map_err(failed)?
        .take(LONGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(FileError::new(
            path,
            format!("longer than {LONGEST_FILE} bytes: no hill file"),
        ));
    }
    Ok(bytes)
}

/// How an error is made at a place in the text.
type At<'a> = dyn Fn(Range<usize>, String) -> FileError + 'a;

fn bot_entry(bot: &Spanned<RawBot>, at: &At<'_>) -> Result<BotEntry, FileError> {
    let raw = bot.get_ref();
    let name =
        BotName::new(raw.name.get_ref()).map_err(|error| at(raw.name.span(), error.to_string()))?;
    let text = |key, value: &Option<Spanned<String>>| {
        value.as_ref().map(|value| check_text(key, value, at)).transpose()
    };
    Ok(BotEntry {
        house: house(&name, bot, at)?,
        author: text("author", &raw.author)?,
        url: text("url", &raw.url)?,
        votes: raw.votes.as_ref().map(|votes| *votes.get_ref()),
        name,
    })
}

/// The house bot that an entry names; it must be of that kind alone.
fn house(name: &BotName, bot: &Spanned<RawBot>, at: &At<'_>) -> Result<String, FileError> {
    let raw = bot.get_ref();
    let outside = [("command", &raw.command), ("java", &raw.java)];
    let others =
        [("dir", &raw.dir), ("build", &raw.build), ("read", &raw.read), ("class", &raw.class)];
    let first = outside.iter().find_map(|(key, value)| Some((*key, value.as_ref()?.span())));
    let other = others.iter().find_map(|(key, value)| Some((*key, value.as_ref()?.span())));
    let second = outside.iter().rev().find_map(|(key, value)| Some((*key, value.as_ref()?.span())));
    let two = |a: &str, b: &str| format!("bot {:?} is of two kinds: {a} and {b}", name.as_str());
    match (&raw.house, first, other) {
        (Some(house), None, None) => Ok(house.get_ref().clone()),
        (Some(_), Some((key, span)), _) => Err(at(span, two("house", key))),
        (None, Some((key, _)), _) if second.as_ref().is_some_and(|(last, _)| *last != key) => {
            Err(at(second.map_or_else(|| bot.span(), |(_, span)| span), two("command", "java")))
        }
        (Some(_), None, Some((key, span))) => {
            Err(at(span, format!("{key}: a house bot takes no such key")))
        }
        (None, Some((key, span)), _) => Err(at(
            span,
            format!("{key}: bots of this kind cannot be run yet; house = \"...\" can"),
        )),
        (None, None, _) => Err(at(
            raw.name.span(),
            format!("bot {:?} has nothing to play with: house = \"...\" is missing", name.as_str()),
        )),
    }
}

fn check_text(key: &str, value: &Spanned<String>, at: &At<'_>) -> Result<String, FileError> {
    let text = value.get_ref();
    if let Some(character) = text.chars().find(|c| !is_printable(*c)) {
        let message = format!("{key} = {text:?}: holds the unprintable character {character:?}");
        Err(at(value.span(), message))
    } else if text.chars().count() > LONGEST_TEXT {
        Err(at(value.span(), format!("{key}: longer than {LONGEST_TEXT} characters")))
    } else {
        Ok(text.clone())
    }
}

/// The line, from 1, of the byte at `offset`.
fn line_of(text: &[u8], offset: usize) -> usize {
    1 + text[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}
