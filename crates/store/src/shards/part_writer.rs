//! Writing a part of a run.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use dicehill_arena::{GameRange, PlayedGame};
use dicehill_rules::Game;

use super::offences_line::OffencesLine;
use super::part_header::{HEADER_BEGINS, PartHeader};
use super::part_reader::{PartBeginning, PartReader};
use crate::FileError;
use crate::files::locked_file::LockedFile;
use crate::run_log::log_file::{HashedFile, keep_private, open_locked};
use crate::run_log::log_line::seal_line;
use crate::run_log::torn_header::is_torn_header;

/// Writes a part of a run game by game, and keeps it locked.
pub struct PartWriter {
    path: PathBuf,
    file: BufWriter<HashedFile>,
}

/// What a part still lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartState {
    /// These games.
    Lacks(GameRange),
    /// Nothing: it is finished.
    Finished,
}

impl PartWriter {
    /// Begins a part at `path`, or continues the interrupted part that is there. Returns also what it lacks.
    ///
    /// # Errors
    /// If there is another file, or it cannot be written.
    pub fn open(path: &Path, header: &PartHeader) -> Result<(Self, PartState), FileError> {
        let failed = |error: io::Error| FileError::new(path, error);
        let file = open_locked(path)?;
        let meta = file.metadata().map_err(failed)?;
        if !meta.is_file() {
            return Err(FileError::new(path, "a part of a run must be a file"));
        }
        let PartBeginning::Header(part) = PartReader::begin(path)? else {
            if meta.len() > 0 && !is_torn_header(path, meta.len(), HEADER_BEGINS) {
                let message = "exists already, and is not the part of a run: choose another name";
                return Err(FileError::new(path, message));
            }
            return Self::begin(path, file, header);
        };
        if part.header() != header {
            let PartHeader { plan, games } = part.header();
            let message =
                format!("exists already, with {games} of the plan {plan}: choose another name");
            return Err(FileError::new(path, message));
        }
        part.check_seal()?;
        keep_private(path, &file)?;
        let lacks = header.games.starting_at(part.games().last() + 1);
        let state = if part.is_sealed() { PartState::Finished } else { PartState::Lacks(lacks) };
        let length = match state {
            PartState::Finished => file.metadata().map_err(failed)?.len(),
            PartState::Lacks(_) => part.end(),
        };
        let file = Self::resumed(path, file, length).map_err(failed)?;
        Ok((file, state))
    }

    fn begin(
        path: &Path,
        file: LockedFile,
        header: &PartHeader,
    ) -> Result<(Self, PartState), FileError> {
        let failed = |error: io::Error| FileError::new(path, error);
        keep_private(path, &file)?;
        file.set_len(0).map_err(failed)?;
        let mut part = Self::new(path, HashedFile::new(path, file));
        let line = header.line().map_err(|error| FileError::new(path, error))?;
        part.write_line(&line).and_then(|()| part.flush()).map_err(failed)?;
        Ok((part, PartState::Lacks(header.games)))
    }

    /// Continues after the first `length` bytes.
    fn resumed(path: &Path, file: LockedFile, length: u64) -> io::Result<Self> {
        file.set_len(length)?;
        let mut hasher: Box<blake3::Hasher> = Box::default();
        let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?.take(length));
        io::copy(&mut reader, &mut *hasher)?;
        Ok(Self::new(path, HashedFile::resumed(path, file, length, hasher)))
    }

    fn new(path: &Path, file: HashedFile) -> Self {
        Self { path: path.to_owned(), file: BufWriter::with_capacity(1 << 16, file) }
    }

    /// Writes a game and what a bar needs of its offences.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write<G: Game>(&mut self, played: &PlayedGame<G>) -> io::Result<()> {
        let (game, offences) = (played.record.fixture.game, &played.record.offences);
        if !offences.is_empty() {
            self.write_line(&OffencesLine::new(game, offences).line()?)?;
        }
        self.write_line(&played.line)
    }

    /// Writes the last line: the hash over all lines.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.with_path(&error))?;
        let seal = seal_line(self.file.get_ref().hasher())?;
        self.write_line(&seal)?;
        self.flush()
    }

    /// Writes everything to disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        let synced = flushed.and_then(|()| self.file.get_mut().sync());
        synced.map_err(|error| self.with_path(&error))
    }

    fn write_line(&mut self, line: &str) -> io::Result<()> {
        let written =
            self.file.write_all(line.as_bytes()).and_then(|()| self.file.write_all(b"\n"));
        written.map_err(|error| self.with_path(&error))
    }

    fn with_path(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}
