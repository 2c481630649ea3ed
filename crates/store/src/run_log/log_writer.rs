//! Writing a run log.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use dicehill_arena::{Event, escape_json, printable_json};
use dicehill_rules::Game;
use dicehill_temporary::DraftFile;

use super::header_line::header_line;
use super::log_file::{HashedFile, create_empty, open_at};
use super::log_line::{bar_line, seal_line};
use super::log_reader::LogReader;
use super::run_header::RunHeader;
use crate::FileError;

/// Writes a run log event by event, and keeps it locked.
pub struct LogWriter {
    path: PathBuf,
    file: BufWriter<HashedFile>,
    /// The number of the next game to write.
    next: u64,
    /// Whether the file has the header already.
    has_header: bool,
    /// Whether a part of the run is on disk.
    has_stored: bool,
    /// Whether the log had a seal, so that its run had ended.
    was_sealed: bool,
}

impl LogWriter {
    /// Begins a log at `path`, where there must be no file, an empty one, or the incomplete header of a killed run.
    ///
    /// # Errors
    /// If there is another file, or it cannot be written.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        Ok(Self::new(path, HashedFile::new(path, create_empty(path)?), 1))
    }

    /// Resumes an interrupted log after the lines that `stored` has read. An incomplete last line is removed.
    ///
    /// # Errors
    /// If the file cannot be written, or another process writes to it.
    pub fn resume(path: &Path, stored: &LogReader) -> Result<Self, FileError> {
        let file = open_at(path, stored, stored.resume_point())?;
        let was_sealed = stored.has_seal();
        Ok(Self { has_stored: true, was_sealed, ..Self::new(path, file, stored.count() + 1) })
    }

    /// Resumes a log without games. All lines after its header are removed.
    ///
    /// # Errors
    /// If the file cannot be written, or another process writes to it.
    pub fn resume_after_header(path: &Path, stored: &LogReader) -> Result<Self, FileError> {
        let file = open_at(path, stored, stored.header_end())?;
        Ok(Self { has_header: true, has_stored: true, ..Self::new(path, file, 1) })
    }

    fn new(path: &Path, file: HashedFile, next: u64) -> Self {
        Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 16, file),
            next,
            has_header: false,
            has_stored: false,
            was_sealed: false,
        }
    }

    /// Whether a part of the run is on disk, where it can be resumed.
    #[must_use]
    pub fn has_stored(&self) -> bool {
        self.has_stored && self.file.get_ref().is_intact()
    }

    /// Whether the log is a regular file rather than a pipe or a device.
    #[must_use]
    pub fn is_regular_file(&self) -> bool {
        self.file.get_ref().metadata().is_ok_and(|meta| meta.is_file())
    }

    /// Removes the log if nothing was written to it: an empty one cannot be resumed.
    pub fn discard_if_empty(self) {
        let is_empty = |meta: std::fs::Metadata| meta.is_file() && meta.len() == 0;
        if self.file.buffer().is_empty() && self.file.get_ref().metadata().is_ok_and(is_empty) {
            // If it stays, the next run with this name overwrites it.
            let _stays = std::fs::remove_file(&self.path);
        }
    }

    /// The path of the log.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what an event adds to the log.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write<G: Game>(&mut self, event: &Event<'_, G>) -> io::Result<()> {
        match event {
            Event::Started(_) if self.has_header => Ok(()),
            Event::Started(header) => {
                self.write_line(&header_line(header)?)?;
                self.flush()
            }
            Event::Played(played, _) => self.write_game(played.record.fixture.game, &played.line),
            Event::Recalled(recalled, _) if recalled.fixture.game < self.next => Ok(()),
            Event::Recalled(recalled, _) => self.write_game(recalled.fixture.game, &recalled.line),
            Event::Barred(bar) => {
                self.refuse_if_sealed(bar.game)?;
                self.write_line(&bar_line(bar)?)?;
                self.next = 1;
                self.flush()
            }
            // These have no line: the first does not count, and the game's own line reports the others.
            Event::Retried(_) | Event::MemoryLost { .. } | Event::Diverged { .. } => Ok(()),
            Event::Ended(document) => {
                self.file.flush().map_err(|error| self.with_path(&error))?;
                let seal = seal_line(self.file.get_ref().hasher())?;
                self.write_line(&seal)?;
                self.write_line(&printable_json(document)?)?;
                self.flush()
            }
        }
    }

    /// Writes everything to disk, if the log is a file on a disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        let synced = flushed.and_then(|()| self.file.get_mut().sync());
        self.has_stored |= synced.is_ok();
        synced.map_err(|error| self.with_path(&error))
    }

    /// Refuses to continue a run that had ended. The log gets back its seal, which is removed where the result is to be written.
    fn refuse_if_sealed(&mut self, game: u64) -> io::Result<()> {
        if !std::mem::take(&mut self.was_sealed) {
            return Ok(());
        }
        let seal = seal_line(self.file.get_ref().hasher())?;
        self.write_line(&seal)?;
        self.flush()?;
        let message = format!(
            "has a seal, so that its run had ended, but game {game} is missing: it was altered"
        );
        Err(self.with_path(&io::Error::new(io::ErrorKind::InvalidData, message)))
    }

    fn write_game(&mut self, game: u64, line: &str) -> io::Result<()> {
        if game != self.next {
            let next = self.next;
            let message =
                format!("game {game} is in the place of game {next}: the log is of another run");
            return Err(self.with_path(&io::Error::new(io::ErrorKind::InvalidData, message)));
        }
        self.refuse_if_sealed(game)?;
        self.next += 1;
        self.write_line(line)
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

/// Writes the log of a single game to `path`, under the same conditions as [`LogWriter::create`].
///
/// # Errors
/// If there is another file, or it cannot be written.
pub fn save_game(path: &Path, header: &RunHeader, game_line: &str) -> Result<(), FileError> {
    // The log may come from an untrusted author, and may be printed to a terminal.
    let text = escape_json(&format!("{}\n{game_line}\n", header.line));
    let failed = |error: io::Error| FileError::not_written(path, &error);
    if path.symlink_metadata().is_ok() {
        let mut file = create_empty(path)?;
        return file.write_all(text.as_bytes()).map_err(failed);
    }
    let mut draft = DraftFile::new_private(path).map_err(failed)?;
    draft.file().write_all(text.as_bytes()).map_err(failed)?;
    draft.persist_new().map(drop).map_err(failed)
}
