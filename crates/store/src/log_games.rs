//! A run log as it is read: its header, its bars, and where each game stands.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use dicehill_arena::{Bar, Recall};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};

use crate::log_header::{LogHeader, read_header_line};
use crate::{FileError, json_message};

/// The longest line that is read.
const LONGEST_LINE: u64 = 64 << 20;
/// The longest line of a game; that of a result holds far more.
const LONGEST_GAME: usize = 1 << 20;
/// The most points that somebody may bring to a game, far more than a run can give.
const MOST_POINTS: u64 = 1 << 52;

/// What is done about a last line that breaks off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BrokenEnd {
    /// The log is damaged.
    Refuse,
    /// It is left out: whoever wrote the log was killed.
    LeaveOut,
}

/// A run log, gone through once: the games that count are found by their numbers.
pub struct LogGames {
    path: PathBuf,
    file: File,
    header: LogHeader,
    bars: Vec<Bar>,
    /// The number of the line of each bar, from 1.
    bar_lines: Vec<usize>,
    /// The games before each bar, in the order of the log: they count no more.
    before_bars: Vec<Vec<Place>>,
    /// The games since the last bar, in the order of the log.
    games: Vec<Place>,
    seal: Option<Seal>,
    /// The result document, and the number of its line, from 1.
    result: Option<(usize, String)>,
    whole_bytes: u64,
    /// All lines as far as they are kept when the run goes on.
    hasher: Box<blake3::Hasher>,
}

/// The seal, as it was read.
#[derive(Clone, Copy)]
struct Seal {
    /// The number of its line, from 1.
    line: usize,
    start: u64,
    /// Whether it is that of all lines before.
    holds: bool,
}

/// Where a game stands.
#[derive(Clone, Copy)]
struct Place {
    game: u64,
    /// The number of its line, from 1.
    line: usize,
    start: u64,
    length: usize,
}

impl LogGames {
    /// Opens the log at `path` and goes through it.
    ///
    /// # Errors
    /// If it cannot be read, or is no log of a version that is known, or is damaged.
    pub fn open(path: &Path, broken_end: BrokenEnd) -> Result<Self, FileError> {
        let failed = |error: io::Error| FileError::new(path, error);
        let file = File::open(path).map_err(failed)?;
        let mut lines = Lines::new(path, file.try_clone().map_err(failed)?, broken_end);
        let header = match lines.next()? {
            Some((_, line)) => read_header_line(line).map_err(|error| lines.error(error))?,
            None => return Err(FileError::new(path, "is empty: a run log begins with a header")),
        };
        let mut log = Self {
            path: path.to_owned(),
            file,
            header,
            bars: Vec::new(),
            bar_lines: Vec::new(),
            before_bars: Vec::new(),
            games: Vec::new(),
            seal: None,
            result: None,
            whole_bytes: 0,
            hasher: Box::default(),
        };
        log.hasher = log.header_bytes().1;
        while let Some((start, line)) = lines.next()? {
            log.take(&lines, start, line)?;
        }
        // A seal without a result is written again.
        let cut = log.seal.filter(|_| log.result.is_none()).map(|seal| seal.start);
        log.whole_bytes = cut.unwrap_or(lines.whole_bytes);
        Ok(log)
    }

    fn take(&mut self, lines: &Lines<'_>, start: u64, line: String) -> Result<(), FileError> {
        // What a bar was read from is hashed too.
        let text = line.contains("\"barred\"").then(|| line.clone());
        let kind = LogLine::read(line).map_err(|why| lines.error(why))?;
        if self.result.is_some() {
            return Err(lines.altered("stands behind the result, which is the last line of a log"));
        }
        match kind {
            LogLine::Header => return Err(lines.altered("a second header")),
            LogLine::Game { .. } | LogLine::Barred(_) | LogLine::Sealed(_)
                if self.seal.is_some() =>
            {
                return Err(lines.altered("stands behind the seal, and only the result does"));
            }
            LogLine::Sealed(hash) => {
                let holds = hash == format!("blake3:{}", self.hasher.finalize());
                self.seal = Some(Seal { line: lines.number, start, holds });
            }
            LogLine::Game { game, line } => {
                self.hash(&line);
                if self.games.last().is_some_and(|last| last.game >= game) {
                    let message = format!("game {game} is here a second time, or out of order");
                    return Err(lines.altered(message));
                }
                let (line, length) = (lines.number, line.len());
                self.games.push(Place { game, line, start, length });
            }
            LogLine::Barred(bar) => {
                self.hash(&text.unwrap_or_default());
                self.bars.push(*bar);
                self.bar_lines.push(lines.number);
                self.before_bars.push(std::mem::take(&mut self.games));
            }
            LogLine::Result(line) => self.result = Some((lines.number, line)),
        }
        Ok(())
    }

    fn hash(&mut self, line: &str) {
        self.hasher.update(line.as_bytes()).update(b"\n");
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &LogHeader {
        &self.header
    }

    /// Who was barred, in order.
    #[must_use]
    pub fn bars(&self) -> &[Bar] {
        &self.bars
    }

    /// The result document, if the run has come to its end.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.result.as_ref().map(|(_, text)| text.as_str())
    }

    /// The number of the line of the result document, from 1.
    pub(crate) fn result_line(&self) -> Option<usize> {
        self.result.as_ref().map(|(line, _)| *line)
    }

    /// The number of the line of the bar with this index, from 1.
    pub(crate) fn bar_line(&self, bar: usize) -> Option<usize> {
        self.bar_lines.get(bar).copied()
    }

    /// How many games there are that count.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.games.len() as u64
    }

    /// Whether it is that of a single game, as `dicehill replay --save` writes it, and not of a run.
    #[must_use]
    pub fn is_single_game(&self) -> bool {
        self.result.is_none() && self.bars.is_empty() && self.games.len() == 1
    }

    /// Each whole line, with its number from 1, also those of games that count no more.
    ///
    /// # Errors
    /// If the log cannot be read any more, or what `each` says.
    pub(crate) fn each_line<E: From<FileError>>(
        &self,
        mut each: impl FnMut(usize, String) -> Result<(), E>,
    ) -> Result<(), E> {
        let file = File::open(&self.path).map_err(|error| FileError::new(&self.path, error))?;
        let mut lines = Lines::new(&self.path, file, BrokenEnd::LeaveOut);
        while lines.whole_bytes < self.whole_bytes {
            let Some((_, line)) = lines.next()? else { break };
            each(lines.number, line)?;
        }
        Ok(())
    }

    /// The line of each game that counts, in order.
    ///
    /// # Errors
    /// If the log cannot be read any more, or what `each` says.
    pub(crate) fn each_game<E: From<FileError>>(
        &self,
        mut each: impl FnMut(usize, String) -> Result<(), E>,
    ) -> Result<(), E> {
        self.games.iter().try_for_each(|place| each(place.line, self.read(*place)?))
    }

    /// What is wrong with the seal: each problem with the number of its line, if it has one. `None` of a run that has
    /// not ended, which has no seal yet.
    #[must_use]
    pub(crate) fn seal_problem(&self) -> Option<Result<(), (Option<usize>, &'static str)>> {
        Some(match (self.seal, &self.result) {
            (None, None) => return None,
            (Some(Seal { holds: false, line, .. }), _) => {
                Err((Some(line), "seal: a line before it was altered, or the seal"))
            }
            (Some(Seal { line, .. }), None) => {
                Err((Some(line), "seal: the result is missing behind it"))
            }
            (Some(_), Some(_)) => Ok(()),
            (None, Some((line, _))) => {
                Err((Some(*line), "seal: its line is missing before the result"))
            }
        })
    }

    /// Refuses a log whose lines are not those that were sealed. One that has not ended has no seal, and one that broke
    /// off behind its seal gets a new one when the run is resumed.
    ///
    /// # Errors
    /// If a line before the seal was altered, or the seal, or the seal is missing.
    pub(crate) fn check_seal(&self) -> Result<(), FileError> {
        if let Some(problem) = self.header.hash_problem() {
            return Err(FileError::altered(&self.path, Some(1), problem));
        }
        match self.seal_problem() {
            Some(Err((line, problem))) if self.result.is_some() || !self.is_cut_behind_seal() => {
                let log = self.path.display();
                let remedy = format!("`dicehill verify {log}` names all that was altered");
                Err(FileError::altered(&self.path, line, format!("{problem}; {remedy}")))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn is_cut_behind_seal(&self) -> bool {
        self.result.is_none() && self.seal.is_some_and(|seal| seal.holds)
    }

    /// How many bytes are whole lines, which stay when the run goes on, and their hash so far.
    pub(crate) fn whole(&self) -> (u64, Box<blake3::Hasher>) {
        (self.whole_bytes, self.hasher.clone())
    }

    /// The same of the header alone.
    pub(crate) fn header_bytes(&self) -> (u64, Box<blake3::Hasher>) {
        let mut hasher: Box<blake3::Hasher> = Box::default();
        hasher.update(self.header.line.as_bytes()).update(b"\n");
        (self.header.line.len() as u64 + 1, hasher)
    }

    /// The games of an attempt, with the numbers of their lines: attempt 0 is what was played before the first bar.
    ///
    /// # Errors
    /// Of each, if it cannot be read any more.
    pub fn attempt(
        &self,
        attempt: usize,
    ) -> impl Iterator<Item = Result<(usize, String), FileError>> + '_ {
        let places = self.before_bars.get(attempt).unwrap_or(&self.games);
        places.iter().map(|place| Ok((place.line, self.read(*place)?)))
    }

    /// The number of the line, from 1, and the line of the game with this number. Without a number, the log's
    /// only game.
    ///
    /// # Errors
    /// If the log has no such game, or cannot be read any more.
    pub fn find_game(&self, wanted: Option<u64>) -> Result<(usize, String), FileError> {
        let place = match (wanted, self.games.as_slice()) {
            (Some(wanted), games) => games.iter().find(|place| place.game == wanted),
            (None, [only]) => Some(only),
            (None, []) => return Err(FileError::new(&self.path, "holds no game")),
            (None, games) => {
                let message =
                    format!("holds {} games: say which one, from its number", games.len());
                return Err(FileError::new(&self.path, message));
            }
        };
        let Some(place) = place else {
            let (wanted, games) = (wanted.unwrap_or_default(), self.games.len());
            let plural = if games == 1 { "" } else { "s" };
            let message = format!("has no game {wanted}: it holds {games} game{plural}");
            return Err(FileError::new(&self.path, message));
        };
        Ok((place.line, self.read(*place)?))
    }

    fn read(&self, place: Place) -> Result<String, FileError> {
        let mut bytes = vec![0; place.length];
        self.file
            .read_exact_at(&mut bytes, place.start)
            .map_err(|error| FileError::at(&self.path, place.line, error))?;
        String::from_utf8(bytes)
            .map_err(|_| FileError::at(&self.path, place.line, "not UTF-8 text"))
    }

    /// The points that each player brought to the game with this number: those of all games before.
    ///
    /// # Errors
    /// If the log is damaged, or does not hold all games before.
    pub fn points_before(&self, game: u64) -> Result<HashMap<String, u64>, FileError> {
        let before = self.games.iter().filter(|place| place.game < game);
        let held = before.clone().count() as u64;
        if held + 1 != game {
            let message = format!("holds {held} of the {} games before game {game}", game - 1);
            return Err(FileError::new(&self.path, message));
        }
        let mut points = HashMap::new();
        for place in before {
            let line = self.read(*place)?;
            add_points(&line, &mut points)
                .map_err(|why| FileError::at(&self.path, place.line, why))?;
        }
        Ok(points)
    }
}

impl Recall for LogGames {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        let place = self.games.get((game - 1) as usize).filter(|place| place.game == game);
        place.map(|place| self.read(*place)).transpose().map_err(io::Error::other)
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

/// Adds what everybody got in the game of this line.
pub(crate) fn add_points(line: &str, points: &mut HashMap<String, u64>) -> Result<(), String> {
    let raw: RawPoints =
        serde_json::from_str(line).map_err(|error| not_a_line(&json_message(&error)))?;
    for (name, result) in raw.seats.into_iter().zip(raw.results) {
        let sum: &mut u64 = points.entry(name).or_default();
        let more = sum.checked_add(result.points).filter(|sum| *sum <= MOST_POINTS);
        *sum = more.ok_or("more points than a run can give")?;
    }
    Ok(())
}

/// The lines of a log, one after the other.
struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    number: usize,
    whole_bytes: u64,
    broken_end: BrokenEnd,
}

impl<'a> Lines<'a> {
    fn new(path: &'a Path, file: File, broken_end: BrokenEnd) -> Self {
        let reader = BufReader::with_capacity(1 << 16, file);
        Self { path, reader, number: 0, whole_bytes: 0, broken_end }
    }

    /// The next line, without its end, and the byte at which it begins; `None` after the last.
    fn next(&mut self) -> Result<Option<(u64, String)>, FileError> {
        let mut bytes = Vec::new();
        let read = Read::take(&mut self.reader, LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| FileError::new(self.path, error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.pop() != Some(b'\n') {
            return match self.broken_end {
                BrokenEnd::LeaveOut if self.number > 1 => Ok(None),
                BrokenEnd::LeaveOut | BrokenEnd::Refuse => {
                    let whole = self.number - 1;
                    Err(self.error(format!(
                        "the line breaks off, and so the log is damaged; its first {whole} lines are whole"
                    )))
                }
            };
        }
        let start = self.whole_bytes;
        self.whole_bytes += read as u64;
        let text = String::from_utf8(bytes).map_err(|_| self.error("not UTF-8 text"))?;
        Ok(Some((start, text)))
    }

    fn error(&self, message: impl fmt::Display) -> FileError {
        FileError::at(self.path, self.number, message)
    }

    fn altered(&self, message: impl fmt::Display) -> FileError {
        FileError::altered(self.path, Some(self.number), message)
    }
}

/// As much of a line as tells what it is.
#[derive(Deserialize)]
struct RawLine {
    r#type: Option<String>,
    schema: Option<String>,
    #[serde(default)]
    game: GameField,
    hash: Option<String>,
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

/// A line of a log, by what it is.
pub(crate) enum LogLine {
    Header,
    Game { game: u64, line: String },
    Barred(Box<Bar>),
    Sealed(String),
    Result(String),
}

impl LogLine {
    /// Reads a line as far as is needed to know what it is.
    ///
    /// # Errors
    /// Says why it is none.
    pub(crate) fn read(line: String) -> Result<Self, String> {
        let foreign = |error: serde_json::Error| not_a_line(&json_message(&error));
        let raw: RawLine = serde_json::from_str(&line).map_err(foreign)?;
        match (raw.r#type.as_deref(), raw.schema.as_deref(), raw.game.0) {
            (Some("header"), _, _) => Ok(Self::Header),
            (Some("game"), _, Some(1..)) if line.len() > LONGEST_GAME => {
                Err(format!("longer than {LONGEST_GAME} bytes: no game"))
            }
            (Some("game"), _, Some(game @ 1..)) => Ok(Self::Game { game, line }),
            (Some("barred"), _, _) => {
                Ok(Self::Barred(serde_json::from_str(&line).map_err(foreign)?))
            }
            (Some("sealed"), _, _) => Ok(Self::Sealed(raw.hash.unwrap_or_default())),
            (None, Some("dicehill.result/1"), _) => Ok(Self::Result(line)),
            (kind, schema, _) => Err(not_a_line(&format!(
                "type {:?}, schema {:?}",
                kind.unwrap_or_default(),
                schema.unwrap_or_default()
            ))),
        }
    }
}

fn not_a_line(why: &str) -> String {
    format!("not a line of a run log: {why}")
}
