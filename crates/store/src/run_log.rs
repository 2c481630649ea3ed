//! Run logs: JSON Lines, the form in which runs are kept and passed on.
//!
//! `{"type":"header","schema":"dicehill.log/1",...}` comes first, then a line for each game in the
//! order of their numbers (see [`dicehill_arena::game_line`]), and last the result document. A line
//! `{"type":"barred",...}` says that an entrant was barred: the games before it count no more, and
//! the run begins anew without that entrant. A log without a result document is of a run that was
//! interrupted.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use dicehill_arena::{BotName, Event, Header, Limits, Memory, escape_json, printable_json};
use dicehill_rules::{Game, GameName};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use crate::FileError;

/// The version of the form.
const SCHEMA: &str = "dicehill.log/1";
/// The longest line that is read.
const LONGEST_LINE: u64 = 64 << 20;

/// The longest line of a game; that of a result holds far more.
const LONGEST_GAME: usize = 1 << 20;
/// The most points that somebody may bring to a game, far more than a run can give.
const MOST_POINTS: u64 = 1 << 52;

/// Writes a run log, event by event.
pub struct LogWriter {
    path: PathBuf,
    file: BufWriter<File>,
}

impl LogWriter {
    /// Begins a log at `path`, where nothing, or an empty file, may be.
    ///
    /// # Errors
    /// If something is there, or nothing can be written there.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let file = create_empty(path)?;
        Ok(Self { path: path.to_owned(), file: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Writes what an event adds to the log.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write<G: Game>(&mut self, event: &Event<'_, G>) -> io::Result<()> {
        match event {
            Event::Started(header) => {
                let line = HeaderLine { r#type: "header", schema: SCHEMA, header };
                self.line(&line)?;
                self.flush()
            }
            Event::Played(played, _) => self
                .file
                .write_all(played.line.as_bytes())
                .and_then(|()| self.file.write_all(b"\n"))
                .map_err(|error| self.named(&error)),
            Event::Barred(bar) => {
                self.line(&BarredLine { r#type: "barred", bar })?;
                self.flush()
            }
            // What did not count, and what is said in the game's own line.
            Event::Retried(_) | Event::MemoryLost { .. } => Ok(()),
            Event::Ended(document) => {
                self.line(document)?;
                self.flush()
            }
        }
    }

    /// Hands everything to the operating system.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.named(&error))
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let text = printable_json(line)? + "\n";
        self.file.write_all(text.as_bytes()).map_err(|error| self.named(&error))
    }

    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

/// Writes a log of a single game to `path`, where nothing, or an empty file, may be.
///
/// # Errors
/// If something is there, or nothing can be written there.
pub fn save_game(path: &Path, header: &LogHeader, game_line: &str) -> Result<(), FileError> {
    let mut file = create_empty(path)?;
    // It may be somebody else's, and is a text for terminals too.
    let text = escape_json(&format!("{}\n{game_line}\n", header.line));
    file.write_all(text.as_bytes()).map_err(|error| FileError::new(path, error))
}

fn create_empty(path: &Path) -> Result<File, FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    let file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    // Of two that begin at once, one would write into the other's log.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(FileError::new(path, "another run writes to it"));
    }
    let meta = file.metadata().map_err(failed)?;
    if meta.is_file() && meta.len() > 0 {
        let message =
            format!("holds {} bytes already: a log begins with an empty file", meta.len());
        return Err(FileError::new(path, message));
    }
    Ok(file)
}

#[derive(Serialize)]
struct HeaderLine<'a> {
    r#type: &'static str,
    schema: &'static str,
    #[serde(flatten)]
    header: &'a Header,
}

#[derive(Serialize)]
struct BarredLine<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    bar: &'a dicehill_arena::Bar,
}

/// What a log's header says of what is needed to replay its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHeader {
    /// The game.
    pub game: GameName,
    /// The variant of the rules, for the game to read.
    pub rules: String,
    /// The master seed.
    pub seed: String,
    /// How long a bot lives.
    pub memory: Memory,
    /// What a bot may use.
    pub limits: Limits,
    /// The entrants' names.
    pub bots: Vec<BotName>,
    /// The line itself.
    pub line: String,
}

/// Reads a run log.
pub struct LogReader {
    path: PathBuf,
    lines: BufReader<File>,
    number: usize,
    header: LogHeader,
}

#[derive(Deserialize)]
struct RawHeader {
    r#type: String,
    schema: String,
    game: String,
    rules: String,
    seed: String,
    memory: String,
    limits: Limits,
    bots: Vec<RawHeaderBot>,
}

#[derive(Deserialize)]
struct RawHeaderBot {
    name: String,
}

/// As much of a line as tells what it is.
#[derive(Deserialize)]
struct RawLine {
    r#type: Option<String>,
    schema: Option<String>,
    #[serde(default)]
    game: GameField,
}

/// The number of a game, or the name of one in a result. Anything else is refused before it takes
/// room.
#[derive(Default)]
struct GameField(Option<u64>);

impl<'de> Deserialize<'de> for GameField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Field;

        impl Visitor<'_> for Field {
            type Value = GameField;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the number of a game or the name of one")
            }

            fn visit_u64<E>(self, number: u64) -> Result<GameField, E> {
                Ok(GameField(Some(number)))
            }

            fn visit_str<E>(self, _name: &str) -> Result<GameField, E> {
                Ok(GameField(None))
            }
        }

        deserializer.deserialize_any(Field)
    }
}

/// As much of a game's line as tells who got how many points.
#[derive(Deserialize)]
struct RawPoints {
    seats: Vec<String>,
    results: Vec<RawPoint>,
}

#[derive(Deserialize)]
struct RawPoint {
    points: u64,
}

impl LogReader {
    /// Opens the log at `path` and reads its header.
    ///
    /// # Errors
    /// If it cannot be read, or is no log of a version that is known.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path).map_err(|error| FileError::new(path, error))?;
        let header = LogHeader {
            game: GameName::Yahtzee,
            rules: String::new(),
            seed: String::new(),
            memory: Memory::default(),
            limits: Limits::default(),
            bots: Vec::new(),
            line: String::new(),
        };
        let mut reader =
            Self { path: path.to_owned(), lines: BufReader::new(file), number: 0, header };
        reader.header = match reader.next_line()? {
            Some(line) => reader.read_header(line)?,
            None => return Err(FileError::new(path, "is empty: a run log begins with a header")),
        };
        Ok(reader)
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &LogHeader {
        &self.header
    }

    /// The line of the game with this number, among the games that count, and the number of the
    /// line. Without a number, the log's only game.
    ///
    /// # Errors
    /// If the log is damaged, or has no such game.
    pub fn find_game(mut self, wanted: Option<u64>) -> Result<(usize, String), FileError> {
        let mut found = None;
        let mut games = 0u64;
        while let Some(line) = self.next_line()? {
            match self.kind(&line)? {
                LineKind::Game(number) => {
                    games += 1;
                    if wanted == Some(number) && found.is_some() {
                        return Err(self.error(format!("game {number} is here a second time")));
                    }
                    if wanted.is_none_or(|wanted| wanted == number) {
                        found = Some((self.number, line));
                    }
                }
                LineKind::Barred => (found, games) = (None, 0),
                LineKind::Result => {}
            }
        }
        match (found, wanted) {
            (Some(_), None) if games > 1 => {
                let message = format!("holds {games} games: say which one, from its number");
                Err(FileError::new(&self.path, message))
            }
            (Some(found), _) => Ok(found),
            (None, Some(wanted)) => {
                let plural = if games == 1 { "" } else { "s" };
                let message = format!("has no game {wanted}: it holds {games} game{plural}");
                Err(FileError::new(&self.path, message))
            }
            (None, None) => Err(FileError::new(&self.path, "holds no game")),
        }
    }

    /// The points that each player brought to the game with this number: those of all games before.
    ///
    /// # Errors
    /// If the log is damaged, or does not hold all games before.
    pub fn points_before(mut self, game: u64) -> Result<HashMap<String, u64>, FileError> {
        let mut points = HashMap::new();
        let mut games = 0;
        while let Some(line) = self.next_line()? {
            match self.kind(&line)? {
                LineKind::Game(number) if number < game => {
                    games += 1;
                    let raw: RawPoints = serde_json::from_str(&line)
                        .map_err(|error| self.error(not_a_line(&json_message(&error))))?;
                    for (name, result) in raw.seats.into_iter().zip(raw.results) {
                        let sum: &mut u64 = points.entry(name).or_default();
                        let more = sum.checked_add(result.points);
                        let more = more.filter(|sum| *sum <= MOST_POINTS);
                        *sum = more.ok_or_else(|| self.error("more points than a run can give"))?;
                    }
                }
                LineKind::Barred => (points, games) = (HashMap::new(), 0),
                LineKind::Game(_) | LineKind::Result => {}
            }
        }
        if games + 1 == game {
            return Ok(points);
        }
        let message = format!("holds {games} of the {} games before game {game}", game - 1);
        Err(FileError::new(&self.path, message))
    }

    fn read_header(&self, line: String) -> Result<LogHeader, FileError> {
        let foreign = |why: String| self.error(format!("not a run log of dicehill: {why}"));
        let raw: RawHeader =
            serde_json::from_str(&line).map_err(|error| foreign(json_message(&error)))?;
        if raw.r#type != "header" || raw.schema != SCHEMA {
            let RawHeader { r#type, schema, .. } = raw;
            return Err(foreign(format!(
                "type {type:?}, schema {schema:?}, and {SCHEMA:?} is known"
            )));
        }
        let name = |bot: &RawHeaderBot| BotName::new(&bot.name).map_err(|error| self.error(error));
        let bots = raw.bots.iter().map(name).collect::<Result<_, _>>()?;
        let game = raw.game.parse().map_err(|error| self.error(error))?;
        let memory = Memory::ALL.into_iter().find(|memory| memory.name() == raw.memory);
        let memory =
            memory.ok_or_else(|| self.error(format!("memory {:?}: unknown", raw.memory)))?;
        let RawHeader { rules, seed, limits, .. } = raw;
        Ok(LogHeader { game, rules, seed, memory, limits, bots, line })
    }

    fn kind(&self, line: &str) -> Result<LineKind, FileError> {
        let raw: RawLine = serde_json::from_str(line)
            .map_err(|error| self.error(not_a_line(&json_message(&error))))?;
        match (raw.r#type.as_deref(), raw.schema.as_deref(), raw.game.0) {
            (Some("game"), _, Some(1..)) if line.len() > LONGEST_GAME => {
                Err(self.error(format!("longer than {LONGEST_GAME} bytes: no game")))
            }
            (Some("game"), _, Some(number @ 1..)) => Ok(LineKind::Game(number)),
            (Some("barred"), _, _) => Ok(LineKind::Barred),
            (None, Some("dicehill.result/1"), _) => Ok(LineKind::Result),
            (kind, schema, _) => Err(self.error(not_a_line(&format!(
                "type {:?}, schema {:?}",
                kind.unwrap_or_default(),
                schema.unwrap_or_default()
            )))),
        }
    }

    /// The next line, without its end; `None` after the last.
    fn next_line(&mut self) -> Result<Option<String>, FileError> {
        let mut bytes = Vec::new();
        let read = io::Read::take(&mut self.lines, LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| FileError::new(&self.path, error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.pop() != Some(b'\n') {
            let whole = self.number - 1;
            return Err(self.error(format!(
                "the line breaks off, and so the log is damaged; its first {whole} lines are whole"
            )));
        }
        let text = String::from_utf8(bytes).map_err(|_| self.error("not UTF-8 text"))?;
        Ok(Some(text))
    }

    fn error(&self, message: impl fmt::Display) -> FileError {
        FileError::at(&self.path, self.number, message)
    }
}

enum LineKind {
    Game(u64),
    Barred,
    Result,
}

fn not_a_line(why: &str) -> String {
    format!("not a line of a run log: {why}")
}

/// What is wrong with a line that should be JSON, by its column alone: to the parser it is the
/// first line.
#[must_use]
pub fn json_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match message.strip_suffix(&place) {
        Some(what) => format!("{what}, in column {}", error.column()),
        None => message,
    }
}
