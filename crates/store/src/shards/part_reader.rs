//! A part of a run, opened for reading.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use dicehill_arena::{GameRange, Offence};
use serde::Deserialize;

use super::offences_line::OffencesLine;
use super::part_header::PartHeader;
use crate::files::file_access::read_exact_at;
use crate::files::file_kind::{FileKind, first_byte, hint_of_other_kind};
use crate::files::regular_file::open_regular;
use crate::run_log::line_reader::{Line, LineReader};
use crate::{FileError, json_message};

/// A part of a run that was read once from start to end.
pub(crate) struct PartReader {
    path: PathBuf,
    file: File,
    header: PartHeader,
    /// The games, from the first of the header on.
    games: Vec<LinePlace>,
    /// The lines about the offences in a game, by its number.
    offences: HashMap<u64, LinePlace>,
    seal: Option<Seal>,
    /// The bytes up to the end of the last game.
    end: u64,
}

/// The place of a line.
#[derive(Clone, Copy)]
struct LinePlace {
    start: u64,
    length: u32,
    /// The number of the line, from 1.
    line: u32,
}

/// The last line of a finished part.
#[derive(Clone, Copy)]
struct Seal {
    line: usize,
    /// Whether it is the hash over all lines before it.
    holds: bool,
}

/// The keys that identify the kind of a line.
#[derive(Deserialize)]
struct RawLine {
    r#type: String,
    #[serde(default)]
    game: u64,
    hash: Option<String>,
}

/// How a part begins.
pub(super) enum PartBeginning {
    /// With its header.
    Header(Box<PartReader>),
    /// The file is empty, or its only line is incomplete.
    Nothing,
}

impl PartReader {
    /// Opens the part at `path`. A last line without its newline, which a killed process leaves, is ignored.
    ///
    /// # Errors
    /// If it cannot be read, is no part of a known version, or is damaged.
    pub(super) fn open(path: &Path) -> Result<Self, FileError> {
        // A power failure may leave NUL bytes in the place of the first ones.
        if first_byte(path).is_some_and(|byte| !b"{\0".contains(&byte)) {
            let hint = hint_of_other_kind(path, FileKind::Part);
            return Err(FileError::at_line(path, 1, format!("not the part of a run{hint}")));
        }
        match Self::begin(path)? {
            PartBeginning::Header(part) => Ok(*part),
            PartBeginning::Nothing => {
                Err(FileError::new(path, "is empty or incomplete: its shard was not played"))
            }
        }
    }

    /// The same for a file that may be empty.
    pub(super) fn begin(path: &Path) -> Result<PartBeginning, FileError> {
        let failed = |error: io::Error| FileError::new(path, error);
        let file = open_regular(path)?;
        let hint = hint_of_other_kind(path, FileKind::Part);
        if !hint.is_empty() {
            return Err(FileError::at_line(path, 1, format!("not the part of a run{hint}")));
        }
        let mut lines = LineReader::new(path, file.try_clone().map_err(failed)?);
        let line = match lines.next()? {
            None | Some((_, Line::Incomplete { .. })) => return Ok(PartBeginning::Nothing),
            Some((_, Line::Result(_))) => return Err(lines.error("not the part of a run")),
            Some((_, Line::Held(bytes))) => text_of(&lines, bytes)?,
        };
        let header = PartHeader::read(&line).map_err(|why| lines.error(why))?;
        if line.ends_with('\r') {
            return Err(lines.error(CONVERTED));
        }
        let mut part = Self {
            path: path.to_owned(),
            file,
            header,
            games: Vec::new(),
            offences: HashMap::new(),
            seal: None,
            end: lines.whole_bytes,
        };
        let mut hasher: Box<blake3::Hasher> = Box::default();
        hasher.update(line.as_bytes()).update(b"\n");
        part.read_lines(&mut lines, &mut hasher)?;
        Ok(PartBeginning::Header(Box::new(part)))
    }

    fn read_lines(
        &mut self,
        lines: &mut LineReader<'_>,
        hasher: &mut blake3::Hasher,
    ) -> Result<(), FileError> {
        while let Some((start, line)) = lines.next()? {
            if self.seal.is_some() {
                let message = "follows the seal, which must be the last line of a part";
                return Err(lines.altered(message));
            }
            let bytes = match line {
                Line::Held(bytes) => bytes,
                Line::Incomplete { .. } => return Ok(()),
                Line::Result(_) => return Err(lines.error(damaged("a result"))),
            };
            let text = text_of(lines, bytes)?;
            let place = LinePlace {
                start,
                length: u32::try_from(text.len()).map_err(|_| lines.error(damaged("too long")))?,
                line: u32::try_from(lines.number).map_err(|_| lines.error("too many lines"))?,
            };
            self.add(lines, &text, place, hasher)?;
            hasher.update(text.as_bytes()).update(b"\n");
        }
        Ok(())
    }

    fn add(
        &mut self,
        lines: &LineReader<'_>,
        text: &str,
        place: LinePlace,
        hasher: &blake3::Hasher,
    ) -> Result<(), FileError> {
        let raw: RawLine = serde_json::from_str(text)
            .map_err(|error| lines.error(damaged(&json_message(&error))))?;
        let next = self.header.games.first() + self.games.len() as u64;
        match raw.r#type.as_str() {
            "game" if raw.game == next && next <= self.header.games.last() => {
                self.games.push(place);
                self.end = lines.whole_bytes;
            }
            "offences" if raw.game == next => drop(self.offences.insert(next, place)),
            "game" | "offences" => {
                let message = format!("game {} is in the place of game {next}", raw.game);
                return Err(lines.altered(message));
            }
            "sealed" => {
                let holds = raw.hash == Some(format!("blake3:{}", hasher.finalize()));
                self.seal = Some(Seal { line: lines.number, holds });
            }
            other => return Err(lines.error(damaged(&format!("type {other:?}")))),
        }
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn header(&self) -> &PartHeader {
        &self.header
    }

    /// The games that the part has.
    pub(super) fn games(&self) -> GameRange {
        let first = self.header.games.first();
        let last = first - 1 + self.games.len() as u64;
        GameRange::new(first, last).expect("the numbers of games do not overflow")
    }

    /// Whether its machine has finished it.
    pub(super) const fn is_sealed(&self) -> bool {
        self.seal.is_some()
    }

    /// The bytes up to the end of the last game.
    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    /// The game at which the part ends because an entrant is barred there.
    pub(super) fn barring_game(&self) -> Option<u64> {
        let last = self.games().last();
        (self.is_sealed() && last < self.header.games.last()).then_some(last)
    }

    /// Refuses a seal that is not that of the lines before it.
    pub(super) fn check_seal(&self) -> Result<(), FileError> {
        match self.seal {
            Some(Seal { line, holds: false }) => Err(FileError::altered(
                &self.path,
                Some(line),
                "seal: a line before it was altered, or the seal",
            )),
            Some(Seal { holds: true, .. }) | None => Ok(()),
        }
    }

    /// The line of a game of this part.
    ///
    /// # Panics
    /// If the part does not have the game.
    pub(super) fn line(&self, game: u64) -> Result<String, FileError> {
        self.read(self.place_of(game))
    }

    /// The line about the offences in a game of this part; `None` if it has none.
    pub(super) fn offences_line(&self, game: u64) -> Result<Option<OffencesLine>, FileError> {
        let Some(place) = self.offences.get(&game) else { return Ok(None) };
        let line = self.read(*place)?;
        let read = OffencesLine::read(&line);
        read.map(Some).map_err(|why| FileError::altered(&self.path, Some(place.line as usize), why))
    }

    /// The offences in a game of this part, for the run to judge.
    pub(super) fn offences(&self, game: u64) -> Result<Vec<Offence>, FileError> {
        match self.offences_line(game)? {
            None => Ok(Vec::new()),
            Some(offences) => offences
                .offences_of(&self.line(game)?)
                .map_err(|why| self.altered(game, format_args!("game {game}: {why}"))),
        }
    }

    /// The error that a game was altered.
    pub(super) fn altered(&self, game: u64, message: impl std::fmt::Display) -> FileError {
        FileError::altered(&self.path, Some(self.place_of(game).line as usize), message)
    }

    fn place_of(&self, game: u64) -> LinePlace {
        self.games[(game - self.header.games.first()) as usize]
    }

    fn read(&self, place: LinePlace) -> Result<String, FileError> {
        let LinePlace { start, length, line } = place;
        let mut bytes = vec![0; length as usize];
        let failed = |error: io::Error| FileError::at_line(&self.path, line as usize, error);
        read_exact_at(&self.file, &mut bytes, start).map_err(failed)?;
        let changed = |_| FileError::at_line(&self.path, line as usize, "not UTF-8 text");
        String::from_utf8(bytes).map_err(changed)
    }
}

/// The message for a part that was copied as text, which also breaks its seal.
const CONVERTED: &str = "ends with CR LF: a program has converted the line ends of the part; copy the original file again, \
     as binary";

/// The message for a line that no part has.
fn damaged(why: &str) -> String {
    format!("not a line of a part: {why}; remove the file and play its shard again")
}

fn text_of(lines: &LineReader<'_>, bytes: Vec<u8>) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|_| lines.error(damaged("not UTF-8 text")))
}
