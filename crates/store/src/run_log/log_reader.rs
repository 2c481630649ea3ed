//! A run log opened for reading: its header and bars, and the place of each game's line.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use dicehill_arena::{Bar, GameSource, thousands};
use serde::de::IgnoredAny;

use super::TruncatedTail;
use super::game_line::GameLine;
use super::line_reader::{Line, LineReader};
use super::line_section::LineSection;
use super::log_line::{LogLine, not_a_log_line};
use super::points::add_points;
use super::read_header::{HeaderError, read_header_line};
use super::run_header::RunHeader;
use super::torn_header::has_no_game;
use super::torn_tail::{HOLES, INCOMPLETE, LinesAfterDamage, TornTail, damage_of};
use crate::files::file_access::read_exact_at;
use crate::files::file_kind::{FileKind, first_byte, hint_of_other_kind};
use crate::{FileError, command_word, json_message};

/// A run log that was read once from start to end. The games that count are found by their numbers.
pub struct LogReader {
    path: PathBuf,
    file: File,
    header: RunHeader,
    /// The bot whose games it has, if it has only those.
    excerpt: Option<String>,
    bars: Vec<Bar>,
    /// The number of the line of each bar, from 1.
    bar_lines: Vec<usize>,
    /// The games before each bar, in the order of the log. They no longer count.
    before_bars: Vec<Vec<LinePlace>>,
    /// The games since the last bar, in the order of the log.
    games: Vec<LinePlace>,
    seal: Option<Seal>,
    /// The result document, which may be too long to be kept in memory.
    result: Option<ResultPlace>,
    /// The end of the file that is ignored.
    torn: Option<TornTail>,
    /// The bytes of the file when it was read.
    file_bytes: u64,
    resume_at: u64,
    /// Has read the lines that stay when the run is resumed.
    hasher: Box<blake3::Hasher>,
}

/// The seal of the log.
#[derive(Clone, Copy)]
struct Seal {
    /// The number of its line, from 1.
    line: usize,
    start: u64,
    /// Whether it is the hash over all lines before it.
    holds: bool,
}

/// The place of a game's line.
#[derive(Clone, Copy)]
struct LinePlace {
    game: u64,
    /// The number of its line, from 1.
    line: usize,
    start: u64,
    length: usize,
}

/// The place of the result document.
#[derive(Clone, Copy)]
struct ResultPlace {
    /// The number of its line, from 1.
    line: usize,
    start: u64,
    length: u64,
}

impl LogReader {
    /// Opens the log at `path` and reads it once.
    ///
    /// # Errors
    /// If it cannot be read, is not a log of a known version, or is damaged.
    pub fn open(path: &Path, broken_end: TruncatedTail) -> Result<Self, FileError> {
        let failed = |error: io::Error| FileError::new(path, error);
        let file = File::open(path).map_err(|error| FileError::not_opened(path, &error))?;
        let mut lines = LineReader::new(path, file.try_clone().map_err(failed)?);
        let header = read_header(&mut lines, path)?;
        let mut log = Self {
            path: path.to_owned(),
            file,
            header,
            excerpt: None,
            bars: Vec::new(),
            bar_lines: Vec::new(),
            before_bars: Vec::new(),
            games: Vec::new(),
            seal: None,
            result: None,
            torn: None,
            file_bytes: 0,
            resume_at: 0,
            hasher: Box::default(),
        };
        log.hasher = log.header_end().1;
        log.read_lines(&mut lines, broken_end)?;
        Ok(log)
    }

    /// Reads the lines after the header.
    fn read_lines(
        &mut self,
        lines: &mut LineReader<'_>,
        broken_end: TruncatedTail,
    ) -> Result<(), FileError> {
        let mut end = lines.whole_bytes;
        while let Some((start, line)) = lines.next()? {
            if let Some(damage) = self.add_line(lines, start, line)? {
                let bytes = self.length()?.saturating_sub(start);
                let torn = TornTail { line: lines.number, start, bytes, damage };
                match broken_end {
                    TruncatedTail::Discard => {}
                    TruncatedTail::Ignore if torn.is_incomplete_line() => {}
                    TruncatedTail::Ignore | TruncatedTail::Refuse => {
                        let why = torn.refusal(&self.path, &what_follows(lines)?);
                        return Err(FileError::at_line(&self.path, torn.line, why));
                    }
                }
                self.torn = Some(torn);
                break;
            }
            end = lines.whole_bytes;
        }
        let torn_bytes = self.torn.as_ref().map_or(0, |torn| torn.bytes);
        self.file_bytes = end + torn_bytes;
        // A seal without a result is written again when the run is resumed.
        let cut = self.seal.filter(|_| self.result.is_none()).map(|seal| seal.start);
        self.resume_at = cut.unwrap_or(end);
        Ok(())
    }

    fn length(&self) -> Result<u64, FileError> {
        let meta = self.file.metadata().map_err(|error| FileError::new(&self.path, error))?;
        Ok(meta.len())
    }

    /// Adds a line; returns what is wrong with it if it is not the line of a log.
    ///
    /// # Errors
    /// If it is one, and cannot be there.
    fn add_line(
        &mut self,
        lines: &LineReader<'_>,
        start: u64,
        line: Line,
    ) -> Result<Option<String>, FileError> {
        let bytes = match line {
            Line::Held(bytes) => bytes,
            Line::Incomplete { has_holes } => {
                return Ok(Some(if has_holes { HOLES } else { INCOMPLETE }.to_owned()));
            }
            Line::Result(length) => return self.add_result(lines, start, length),
        };
        let line = match String::from_utf8(bytes) {
            Ok(line) if !line.contains('\0') => line,
            Ok(line) => return Ok(damage_of(line.as_bytes())),
            Err(error) => return Ok(damage_of(error.as_bytes())),
        };
        // Reading a bar consumes its line, and the hash needs the text.
        let text = line.contains("\"barred\"").then(|| line.clone());
        let kind = match LogLine::read(line) {
            Ok(kind) => kind,
            Err(why) => return Ok(Some(why)),
        };
        self.refuse_misplaced(lines, &kind)?;
        match kind {
            LogLine::Header => return Err(lines.altered("a second header")),
            LogLine::Excerpt(bot) => {
                if lines.number != 2 || !self.header.bots.iter().any(|one| one.name.as_str() == bot)
                {
                    let why =
                        format!("an excerpt of {bot:?}: not behind the header, or no bot of it");
                    return Err(lines.altered(why));
                }
                self.excerpt = Some(bot);
            }
            LogLine::Sealed(hash) => {
                let holds = hash == format!("blake3:{}", self.hasher.finalize());
                self.seal = Some(Seal { line: lines.number, start, holds });
            }
            LogLine::Game { game, line } => self.add_game(lines, start, game, &line)?,
            LogLine::Barred(bar) => {
                self.add_to_hash(&text.unwrap_or_default());
                self.bars.push(*bar);
                self.bar_lines.push(lines.number);
                self.before_bars.push(std::mem::take(&mut self.games));
            }
            LogLine::Result(line) => {
                let (line, length) = (lines.number, line.len() as u64);
                self.result = Some(ResultPlace { line, start, length });
            }
        }
        Ok(None)
    }

    fn add_game(
        &mut self,
        lines: &LineReader<'_>,
        start: u64,
        game: u64,
        text: &str,
    ) -> Result<(), FileError> {
        self.add_to_hash(text);
        if self.games.last().is_some_and(|last| last.game >= game) {
            let message = format!("game {game} is repeated or out of order");
            return Err(lines.altered(message));
        }
        self.games.push(LinePlace { game, line: lines.number, start, length: text.len() });
        Ok(())
    }

    /// Adds a result that is too long to be kept in memory.
    fn add_result(
        &mut self,
        lines: &LineReader<'_>,
        start: u64,
        length: u64,
    ) -> Result<Option<String>, FileError> {
        let section = BufReader::new(LineSection::new(&self.file, start, length));
        if let Err(error) = serde_json::from_reader::<_, IgnoredAny>(section) {
            if error.is_io() {
                return Err(lines.error(error));
            }
            return Ok(Some(not_a_log_line(&json_message(&error))));
        }
        self.refuse_misplaced(lines, &LogLine::Result(String::new()))?;
        self.result = Some(ResultPlace { line: lines.number, start, length });
        Ok(None)
    }

    /// Refuses a line behind the seal or the result.
    fn refuse_misplaced(&self, lines: &LineReader<'_>, kind: &LogLine) -> Result<(), FileError> {
        if self.result.is_some() {
            return Err(lines.altered("follows the result, which must be the last line of a log"));
        }
        let is_game = matches!(kind, LogLine::Game { .. } | LogLine::Header | LogLine::Excerpt(_));
        if let Some(bot) = self.excerpt.as_ref().filter(|_| !is_game) {
            return Err(lines.altered(format!("a log of the games of {bot} has only games")));
        }
        match kind {
            LogLine::Game { .. } | LogLine::Barred(_) | LogLine::Sealed(_)
                if self.seal.is_some() =>
            {
                Err(lines.altered("follows the seal, which only the result may do"))
            }
            LogLine::Header
            | LogLine::Excerpt(_)
            | LogLine::Game { .. }
            | LogLine::Barred(_)
            | LogLine::Sealed(_)
            | LogLine::Result(_) => Ok(()),
        }
    }

    fn add_to_hash(&mut self, line: &str) {
        self.hasher.update(line.as_bytes()).update(b"\n");
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &RunHeader {
        &self.header
    }

    /// The bars, in order.
    #[must_use]
    pub fn bars(&self) -> &[Bar] {
        &self.bars
    }

    /// Whether the run has ended: the log has a result.
    #[must_use]
    pub fn has_result(&self) -> bool {
        self.result.is_some()
    }

    /// Reads the result document, which may be longer than the memory; `None` of an unfinished run.
    #[must_use]
    pub fn result_reader(&self) -> Option<LineSection<'_>> {
        self.result.map(|place| LineSection::new(&self.file, place.start, place.length))
    }

    /// The number of the result document's line, from 1.
    pub(crate) fn result_line(&self) -> Option<usize> {
        self.result.map(|place| place.line)
    }

    /// Whether the log has a seal.
    pub(super) const fn has_seal(&self) -> bool {
        self.seal.is_some()
    }

    /// What a crash has left at the end of the file, if it is ignored.
    #[must_use]
    pub const fn torn_tail(&self) -> Option<&TornTail> {
        self.torn.as_ref()
    }

    /// The bytes of the file when it was read.
    pub(super) const fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// The number of the line, from 1, of the bar with this index.
    pub(crate) fn bar_line(&self, bar: usize) -> Option<usize> {
        self.bar_lines.get(bar).copied()
    }

    /// The number of games that count.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.games.len() as u64
    }

    /// Whether this is the log of a single game, as `dicehill replay --save` writes it, rather than of a run.
    #[must_use]
    pub fn is_single_game(&self) -> bool {
        self.result.is_none() && self.bars.is_empty() && self.games.len() == 1
    }

    /// The number of the game, if this is the log of a single one that is not the first of its run.
    pub(crate) fn lone_game(&self) -> Option<u64> {
        let game = self.games.first().filter(|_| self.is_single_game())?.game;
        (game > 1).then_some(game)
    }

    /// The bot whose games this log has, if it has only those, as a server sends them: they are ordered, but have gaps, and
    /// there are neither bars nor a seal nor a result.
    #[must_use]
    pub fn excerpt(&self) -> Option<&str> {
        self.excerpt.as_deref()
    }

    /// Calls `each` with the number, from 1, and the text of each complete line, games that no longer count among them.
    ///
    /// # Errors
    /// If the log cannot be read, and the errors of `each`.
    pub(crate) fn each_line<E: From<FileError>>(
        &self,
        mut each: impl FnMut(usize, String) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error| FileError::new(&self.path, error);
        let file = File::open(&self.path).map_err(failed)?;
        let mut lines = LineReader::new(&self.path, file.try_clone().map_err(failed)?);
        while lines.whole_bytes < self.resume_at {
            let bytes = match lines.next()? {
                Some((_, Line::Held(bytes))) => bytes,
                Some((start, Line::Result(length))) => {
                    let mut bytes = Vec::new();
                    let mut section = LineSection::new(&file, start, length);
                    section.read_to_end(&mut bytes).map_err(|error| lines.error(error))?;
                    bytes
                }
                Some((_, Line::Incomplete { .. })) | None => break,
            };
            let line = String::from_utf8(bytes).map_err(|_| lines.error("not UTF-8 text"))?;
            each(lines.number, line)?;
        }
        Ok(())
    }

    /// Calls `each` with the number and the text of the line of each game that counts, in order.
    ///
    /// # Errors
    /// If the log cannot be read, and the errors of `each`.
    pub(crate) fn each_game<E: From<FileError>>(
        &self,
        mut each: impl FnMut(usize, String) -> Result<(), E>,
    ) -> Result<(), E> {
        self.games.iter().try_for_each(|place| each(place.line, self.read(*place)?))
    }

    /// Checks the seal: an error is the number of the line and what is wrong. `None` of an unfinished run, which has no seal
    /// yet.
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
            (None, Some(ResultPlace { line, .. })) => {
                Err((Some(*line), "seal: its line is missing before the result"))
            }
        })
    }

    /// Refuses a log whose lines are not those that were sealed. An unfinished log has no seal. A log that ends after its
    /// seal gets a new one when the run is resumed.
    ///
    /// # Errors
    /// If a line before the seal or the seal itself was altered, or the seal is missing.
    pub(crate) fn check_seal(&self) -> Result<(), FileError> {
        if let Some(problem) = self.header.hash_problem() {
            return Err(FileError::altered(&self.path, Some(1), problem));
        }
        match self.seal_problem() {
            Some(Err((line, problem))) if self.result.is_some() || !self.ends_after_seal() => {
                let log = command_word(&self.path);
                let remedy = format!("`dicehill verify {log}` names everything that was altered");
                Err(FileError::altered(&self.path, line, format!("{problem}; {remedy}")))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn ends_after_seal(&self) -> bool {
        self.result.is_none() && self.seal.is_some_and(|seal| seal.holds)
    }

    /// The bytes of the lines that stay when the run is resumed, and the hasher that has read them.
    pub(crate) fn resume_point(&self) -> (u64, Box<blake3::Hasher>) {
        (self.resume_at, self.hasher.clone())
    }

    /// The bytes of the header's line, and the hasher that has read it.
    pub(crate) fn header_end(&self) -> (u64, Box<blake3::Hasher>) {
        let mut hasher: Box<blake3::Hasher> = Box::default();
        hasher.update(self.header.line.as_bytes()).update(b"\n");
        (self.header.line.len() as u64 + 1, hasher)
    }

    /// The number and the text of the line of each game of an attempt. Attempt 0 are the games before the first bar.
    ///
    /// # Errors
    /// Each item, if its line cannot be read.
    pub fn attempt(
        &self,
        attempt: usize,
    ) -> impl Iterator<Item = Result<(usize, String), FileError>> + '_ {
        let places = self.before_bars.get(attempt).unwrap_or(&self.games);
        places.iter().map(|place| Ok((place.line, self.read(*place)?)))
    }

    /// The number, from 1, and the text of the line of this game; without a number, of the log's only game.
    ///
    /// # Errors
    /// If the log has no such game, or cannot be read.
    pub fn find_game(&self, wanted: Option<u64>) -> Result<(usize, String), FileError> {
        let place = match (wanted, self.games.as_slice()) {
            (Some(wanted), games) => games.iter().find(|place| place.game == wanted),
            (None, [only]) => Some(only),
            (None, []) => return Err(FileError::new(&self.path, "has no game")),
            (None, games) => {
                let message =
                    format!("has {} games: pass the number of one", thousands(games.len() as u64));
                return Err(FileError::new(&self.path, message));
            }
        };
        let Some(place) = place else {
            let wanted = wanted.unwrap_or_default();
            let has = match self.games.as_slice() {
                [only] => format!("its only game is game {}", only.game),
                games => format!("it has {} games", thousands(games.len() as u64)),
            };
            return Err(FileError::new(&self.path, format!("has no game {wanted}: {has}")));
        };
        Ok((place.line, self.read(*place)?))
    }

    /// Whether its first game has moves, if there is one: a hill that removes moves does so for whole runs.
    ///
    /// # Errors
    /// If the game cannot be read.
    pub fn has_moves(&self) -> Result<bool, FileError> {
        let Some(first) = self.games.first() else { return Ok(true) };
        let game = GameLine::read(&self.read(*first)?);
        let game = game.map_err(|error| FileError::at_line(&self.path, first.line, error))?;
        Ok(game.moves.is_some())
    }

    fn read(&self, place: LinePlace) -> Result<String, FileError> {
        let mut bytes = vec![0; place.length];
        read_exact_at(&self.file, &mut bytes, place.start)
            .map_err(|error| FileError::at_line(&self.path, place.line, error))?;
        String::from_utf8(bytes)
            .map_err(|_| FileError::at_line(&self.path, place.line, "not UTF-8 text"))
    }

    /// Each bot's points before this game: the sums over all games before it.
    ///
    /// # Errors
    /// If the log is damaged or lacks a game before this one.
    pub fn points_before(&self, game: u64) -> Result<HashMap<String, u64>, FileError> {
        let before = self.games.iter().filter(|place| place.game < game);
        let held = before.clone().count() as u64;
        if held + 1 != game {
            let message = format!("has {held} of the {} games before game {game}", game - 1);
            return Err(FileError::new(&self.path, message));
        }
        let mut points = HashMap::new();
        for place in before {
            let line = self.read(*place)?;
            add_points(&line, &mut points)
                .map_err(|why| FileError::at_line(&self.path, place.line, why))?;
        }
        Ok(points)
    }
}

/// What the lines after the damage are, up to a seal.
fn what_follows(lines: &mut LineReader<'_>) -> Result<LinesAfterDamage, FileError> {
    let mut found = LinesAfterDamage::default();
    while let Some((_, line)) = lines.next()? {
        let Line::Held(bytes) = line else { continue };
        let text = String::from_utf8(bytes).map_err(|_| ());
        match text.map(LogLine::read) {
            Ok(Ok(LogLine::Sealed(_))) => {
                found.is_sealed = true;
                break;
            }
            Ok(Ok(LogLine::Game { .. })) => found.games += 1,
            Ok(_) | Err(()) => {}
        }
    }
    Ok(found)
}

/// Reads the first line.
fn read_header(lines: &mut LineReader<'_>, path: &Path) -> Result<RunHeader, FileError> {
    let hint = hint_of_other_kind(path, FileKind::RunLog);
    // A power failure may leave NUL bytes in the place of the first ones.
    let is_json = first_byte(path).is_none_or(|byte| b"{\0".contains(&byte));
    if !hint.is_empty() || !is_json {
        let why = if hint.is_empty() { ": its first line is not a JSON object" } else { &hint };
        return Err(FileError::at_line(path, 1, format!("not a run log of dicehill{why}")));
    }
    let bytes = match lines.next()? {
        Some((_, Line::Held(bytes))) => bytes,
        Some((_, Line::Incomplete { has_holes: true, .. })) => {
            return Err(lines.error(header_with_holes(path)));
        }
        Some((_, Line::Incomplete { .. })) => return Err(lines.error(TORN_HEADER)),
        Some((_, Line::Result(_))) => {
            return Err(lines.error("a result in the place of the header"));
        }
        None => {
            return Err(FileError::new(
                path,
                "is empty: a run log must begin with a header. If its run was killed at once, start it again",
            ));
        }
    };
    if bytes.contains(&0) {
        return Err(lines.error(header_with_holes(path)));
    }
    if bytes.ends_with(b"\r") {
        return Err(lines.error(WINDOWS_LINES));
    }
    let line = String::from_utf8(bytes).map_err(|_| lines.error("not UTF-8 text"))?;
    read_header_line(line).map_err(|error| match error {
        HeaderError::Unreadable(why) => lines.error(why),
        HeaderError::Altered(why) => lines.altered(why),
    })
}

/// The message for a log of which a crash has not even left the header.
const TORN_HEADER: &str = "the log is truncated: this line breaks off, so that there is neither a header nor a game; \
                           start the run again: `run --out` overwrites such a file";

const WINDOWS_LINES: &str = "the lines end in CR LF, as on Windows: another program has changed them; \
                             `tr -d '\\r'` restores the log";

/// The message for a log whose header a power failure has damaged, or for a hill whose first page it has.
fn header_with_holes(path: &Path) -> String {
    let remedy = if has_no_game(path) {
        "start the run again: `run --out` overwrites such a file"
    } else {
        "move the file away and start the run again, or, if it was a hill, put a backup in its place with `dicehill hill restore`"
    };
    format!(
        "the header has NUL bytes, as a power failure leaves them, and without it no game can be read; {remedy}"
    )
}

impl GameSource for LogReader {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        let place = self.games.get((game - 1) as usize).filter(|place| place.game == game);
        place.map(|place| self.read(*place)).transpose().map_err(io::Error::other)
    }
}
