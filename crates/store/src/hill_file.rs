//! Hill files: TOML, as somebody wrote it, turned into what can be played.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use dicehill_arena::{
    BotName, Entrant, FormatName, HillDraft, HillError, Limits, Memory, Place, Program,
    is_printable, printable,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Game, GameName};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use serde::Deserialize;
use toml::Spanned;

use crate::{FileError, HillRecord};

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
    ("expected a sequence", "expected a list"),
];

/// A hill file that has been read, apart from what only its game can check.
#[derive(Clone)]
pub struct HillFile {
    path: PathBuf,
    text: String,
    raw: RawHill,
    game: GameName,
    bots: Vec<BotEntry>,
}

/// What a bot of a hill file plays with; its paths begin where the hill file lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotKind {
    /// The house bot of this name.
    House(String),
    /// A program that speaks the protocol.
    Command {
        /// The program and its arguments.
        command: Vec<String>,
        /// Where the paths among its words begin.
        base: PathBuf,
        /// The folder that is copied.
        dir: Option<PathBuf>,
        /// What is run once in a copy of it.
        build: Option<Vec<String>>,
        /// More that it may read.
        read: Vec<PathBuf>,
    },
    /// A player for the published Java interfaces.
    Java {
        /// A `.java` file, a folder of them, or a `.jar`.
        path: PathBuf,
        /// Its class, where that is not evident.
        class: Option<String>,
        /// More that it may read.
        read: Vec<PathBuf>,
    },
}

impl BotKind {
    /// The same with its files laid out in `folder`, from where its paths begin.
    #[must_use]
    pub fn laid_out_in(self, folder: &Path) -> Self {
        match self {
            Self::House(name) => Self::House(name),
            Self::Command { command, dir, build, read, .. } => Self::Command {
                command,
                base: folder.to_owned(),
                dir: dir.map(|dir| folder.join(dir)),
                build,
                read,
            },
            Self::Java { path, class, read } => Self::Java { path: folder.join(path), class, read },
        }
    }
}

/// The terms on which a hill's bots play, for whoever makes them ready.
#[derive(Clone, Copy, Debug)]
pub struct HillTerms<R> {
    /// The variant of the rules.
    pub rules: R,
    /// How long a bot lives.
    pub memory: Memory,
    /// What it may use.
    pub limits: Limits,
}

/// How whoever knows bots makes one ready: from its name, what it plays with, and the terms.
pub type MakeReady<'a, G> = dyn Fn(&BotName, &BotKind, HillTerms<<G as Game>::Rules>) -> Result<Arc<dyn Program<G>>, String>
    + 'a;

/// A bot of a hill file.
#[derive(Clone)]
struct BotEntry {
    name: BotName,
    kind: BotKind,
    author: Option<String>,
    url: Option<String>,
    votes: Option<i64>,
}

#[derive(Clone, Deserialize)]
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

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct RawLimits {
    start_ms: Option<Spanned<i64>>,
    move_ms: Option<Spanned<i64>>,
    memory_mb: Option<Spanned<i64>>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[bot]] table")]
struct RawBot {
    name: Spanned<String>,
    house: Option<Spanned<String>>,
    command: Option<Spanned<Vec<String>>>,
    java: Option<Spanned<String>>,
    dir: Option<Spanned<String>>,
    build: Option<Spanned<Vec<String>>>,
    read: Option<Spanned<Vec<String>>>,
    class: Option<Spanned<String>>,
    author: Option<Spanned<String>>,
    url: Option<Spanned<String>>,
    votes: Option<Spanned<i64>>,
}

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
        let mut raw: RawBot =
            toml::from_str(&text).map_err(|error| parse_error(&path, &text, &error))?;
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

impl HillFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read or is no hill file: unknown keys, wrong types, unknown games, names that
    /// cannot be printed, bots of no kind or of two.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text = read_text(path)?;
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
        let folder = path.parent().unwrap_or(Path::new(""));
        let bots = raw.bots.iter().map(|bot| bot_entry(bot.get_ref(), bot.span(), folder, &at));
        let bots = bots.collect::<Result<_, _>>()?;
        Ok(Self { path: path.to_owned(), text, raw, game, bots })
    }

    /// The game that is played.
    #[must_use]
    pub const fn game(&self) -> GameName {
        self.game
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of its bots, in order.
    pub fn names(&self) -> impl Iterator<Item = &BotName> {
        self.bots.iter().map(|bot| &bot.name)
    }

    /// The seed, if the file has one.
    #[must_use]
    pub fn seed(&self) -> Option<&str> {
        self.raw.seed.as_ref().map(|seed| seed.get_ref().as_str())
    }

    /// What the file says, with `seed` in place of its own and `ready` to make its bots ready.
    ///
    /// # Errors
    /// If a value stands for nothing that there is.
    ///
    /// # Panics
    /// If `G` is not the game of the file.
    pub fn draft<G: Game>(
        &self,
        seed: String,
        ready: &MakeReady<'_, G>,
    ) -> Result<HillDraft<G>, FileError> {
        assert_eq!(G::NAME, self.game.name(), "the game of the hill file");
        let RawHill { name, format, seats, challenger, games, .. } = &self.raw;
        let terms = self.terms::<G>()?;
        Ok(HillDraft {
            name: match name {
                Some(name) => self.text_of("name", name)?,
                None => printable(&self.path.file_stem().unwrap_or_default().to_string_lossy()),
            },
            rules: terms.rules,
            format: self
                .choice("format", format.as_ref(), &FormatName::ALL, |f| f.name().into())?,
            seats: seats.as_ref().map(|seats| *seats.get_ref()),
            challenger: challenger.as_ref().map(|name| name.get_ref().clone()),
            games: games.as_ref().map_or(HillDraft::<G>::USUAL_GAMES, |games| *games.get_ref()),
            seed,
            memory: terms.memory,
            until: None,
            limits: terms.limits,
            entrants: (0..self.bots.len())
                .map(|index| self.entrant_at(index, terms, ready))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The file's terms, for the store of a hill.
    ///
    /// # Errors
    /// If a value stands for nothing that there is.
    pub fn terms_of_store(&self) -> Result<HillRecord, FileError> {
        match self.game {
            GameName::Yahtzee => self.record::<Yahtzee>(),
            GameName::LiarsDice => self.record::<LiarsDice>(),
        }
    }

    fn record<G: Game>(&self) -> Result<HillRecord, FileError> {
        let alone = Self { bots: Vec::new(), ..self.clone() };
        let nobody = |_: &BotName, _: &BotKind, _: HillTerms<G::Rules>| Err(String::new());
        let draft = alone.draft::<G>(String::new(), &nobody)?;
        Ok(HillRecord {
            name: draft.name,
            game: self.game,
            rules: draft.rules.to_string(),
            format: draft.format,
            seats: draft.seats,
            challenger: draft.challenger,
            games: draft.games,
            memory: draft.memory,
            limits: draft.limits,
            seed: self.seed().map(str::to_owned),
            until: None,
        })
    }

    /// Why the draft cannot be played, at its place in the file.
    #[must_use]
    pub fn locate(&self, error: &HillError) -> FileError {
        self.error_at(self.span_of(error.place()), error)
    }

    fn terms<G: Game>(&self) -> Result<HillTerms<G::Rules>, FileError> {
        let RawHill { rules, memory, .. } = &self.raw;
        Ok(HillTerms {
            rules: self.choice("rules", rules.as_ref(), G::RULES, ToString::to_string)?,
            memory: self.choice("memory", memory.as_ref(), &Memory::ALL, |m| m.name().into())?,
            limits: self.limits()?,
        })
    }

    /// The bot with this name, with `ready` to make it ready.
    ///
    /// # Errors
    /// If there is none, or it cannot play.
    pub fn entrant<G: Game>(
        &self,
        name: &str,
        ready: &MakeReady<'_, G>,
    ) -> Result<Entrant<G>, FileError> {
        match self.bots.iter().position(|bot| bot.name.as_str() == name) {
            Some(index) => self.entrant_at(index, self.terms::<G>()?, ready),
            None => Err(FileError::new(&self.path, format!("has no bot {name:?}"))),
        }
    }

    fn entrant_at<G: Game>(
        &self,
        index: usize,
        terms: HillTerms<G::Rules>,
        ready: &MakeReady<'_, G>,
    ) -> Result<Entrant<G>, FileError> {
        let BotEntry { name, kind, author, url, votes } = self.bots[index].clone();
        let (key, span) = key_of(self.raw.bots[index].get_ref());
        let program = ready(&name, &kind, terms)
            .map_err(|message| self.error_at(span, format!("{key} = {message}")))?;
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
            if written.starts_with("bot") || written.starts_with("[bot") {
                message = message.replace("expected a list", "expected [[bot]]");
            }
            let quoted: String = written.chars().take(QUOTED).collect();
            let dots = if quoted.len() < written.len() { "..." } else { "" };
            FileError::at(path, line, format!("{quoted}{dots}: {message}"))
        }
    }
}

fn read_text(path: &Path) -> Result<String, FileError> {
    let file = File::open(path).map_err(|error| FileError::new(path, error))?;
    text_of_bytes(path, read_bounded(path, file)?)
}

fn text_of_bytes(path: &Path, bytes: Vec<u8>) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|error| {
        let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
        FileError::at(path, line, "not UTF-8 text")
    })
}

/// The file's bytes, unless they are far more than a hill file has.
fn read_bounded(path: &Path, file: File) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    file.take(LONGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| FileError::new(path, error))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(FileError::new(
            path,
            format!("longer than {LONGEST_FILE} bytes: no hill file"),
        ));
    }
    Ok(bytes)
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

/// How an error is made at a place in the text.
type At<'a> = dyn Fn(Range<usize>, String) -> FileError + 'a;

fn bot_entry(
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
fn key_of(raw: &RawBot) -> (&'static str, Option<Range<usize>>) {
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

fn check_text(key: &str, value: &Spanned<String>, at: &At<'_>) -> Result<String, FileError> {
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

/// The line, from 1, of the byte at `offset`.
fn line_of(text: &[u8], offset: usize) -> usize {
    1 + text[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}
