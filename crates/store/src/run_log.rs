//! Run logs: JSON Lines, the form in which runs are kept and passed on.
//!
//! `{"type":"header","schema":"dicehill.log/1",...}` comes first, then a line for each game in the
//! order of their numbers (see [`dicehill_arena::game_line`]), and last the result document. A line
//! `{"type":"barred",...}` says that an entrant was barred: the games before it count no more, and
//! the run begins anew without that entrant. `{"type":"sealed",...}` before the result has the hash over all
//! lines before it. A log without a result document is of a run that was interrupted.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use dicehill_arena::{Event, escape_json, printable_json};
use dicehill_rules::Game;
use dicehill_temporary::Draft;
use serde::Serialize;

use crate::locked_file::LockedFile;
use crate::log_header::header_line;
use crate::{FileError, LogGames, LogHeader};

/// How each header begins that this program writes.
const HEADER_BEGINS: &[u8] = b"{\"type\":\"header\",\"schema\":\"dicehill.log/";
/// Bytes of a header, at most.
const LONGEST_HEADER: u64 = 64 << 20;

/// Writes a run log, event by event.
pub struct LogWriter {
    path: PathBuf,
    file: BufWriter<Hashed>,
    /// The number of the next game that is not there yet.
    next: u64,
    /// Whether the header is there, and not written again.
    has_header: bool,
}

impl LogWriter {
    /// Begins a log at `path`, where nothing, or an empty file, may be.
    ///
    /// # Errors
    /// If something is there, or nothing can be written there.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let file = create_empty(path)?;
        Ok(Self::behind(path, Hashed::new(file), 1))
    }

    /// Goes on with a log that was left, behind what `stored` has of it: a line that broke off is taken away.
    ///
    /// # Errors
    /// If nothing can be written there, or somebody else writes there.
    pub fn resume(path: &Path, stored: &LogGames) -> Result<Self, FileError> {
        Self::at(path, stored.whole(), stored.count() + 1)
    }

    /// Goes on with a log that was left before its first game: what comes behind its header is written anew.
    ///
    /// # Errors
    /// If nothing can be written there, or somebody else writes there.
    pub fn behind_header(path: &Path, stored: &LogGames) -> Result<Self, FileError> {
        Ok(Self { has_header: true, ..Self::at(path, stored.header_bytes(), 1)? })
    }

    /// Goes on at a byte, behind which nothing stays, and with the hash over what is before it.
    fn at(
        path: &Path,
        (byte, hasher): (u64, Box<blake3::Hasher>),
        next: u64,
    ) -> Result<Self, FileError> {
        let failed = |error: io::Error| FileError::new(path, error);
        let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        let mut file = lock(path, file)?;
        file.set_len(byte).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self::behind(path, Hashed { file, hasher }, next))
    }

    fn behind(path: &Path, file: Hashed, next: u64) -> Self {
        Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 16, file),
            next,
            has_header: false,
        }
    }

    /// Whether it stays: not the log that goes into a pipe or a device.
    #[must_use]
    pub fn stays(&self) -> bool {
        self.file.get_ref().file.metadata().is_ok_and(|meta| meta.is_file())
    }

    /// Where it is.
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
                self.text(&header_line(header)?)?;
                self.flush()
            }
            Event::Played(played, _) => self.game(played.record.fixture.game, &played.line),
            Event::Recalled(recalled, _) if recalled.fixture.game < self.next => Ok(()),
            Event::Recalled(recalled, _) => self.game(recalled.fixture.game, &recalled.line),
            Event::Barred(bar) => {
                self.text(&bar_line(bar)?)?;
                self.next = 1;
                self.flush()
            }
            // What did not count, and what is said in the game's own line.
            Event::Retried(_) | Event::MemoryLost { .. } | Event::Diverged { .. } => Ok(()),
            Event::Ended(document) => {
                self.file.flush().map_err(|error| self.named(&error))?;
                let seal = seal_line(&self.file.get_ref().hasher)?;
                self.text(&seal)?;
                self.line(document)?;
                self.flush()
            }
        }
    }

    /// Sees to it that everything is on disk, where the log is a file on one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        let synced = self.file.flush().and_then(|()| match self.file.get_ref().file.sync_data() {
            // A pipe or a terminal has no disk behind it.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            synced => synced,
        });
        synced.map_err(|error| self.named(&error))
    }

    fn game(&mut self, game: u64, line: &str) -> io::Result<()> {
        if game != self.next {
            let next = self.next;
            let message =
                format!("game {game} comes where game {next} belongs: the log is of another run");
            return Err(self.named(&io::Error::new(io::ErrorKind::InvalidData, message)));
        }
        self.next += 1;
        self.text(line)
    }

    fn text(&mut self, line: &str) -> io::Result<()> {
        let written =
            self.file.write_all(line.as_bytes()).and_then(|()| self.file.write_all(b"\n"));
        written.map_err(|error| self.named(&error))
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.text(&printable_json(line)?)
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
    // It may be somebody else's, and is a text for terminals too.
    let text = escape_json(&format!("{}\n{game_line}\n", header.line));
    let failed = |error: io::Error| FileError::new(path, error);
    if path.symlink_metadata().is_ok() {
        return create_empty(path)?.write_all(text.as_bytes()).map_err(failed);
    }
    let mut draft = Draft::new(path).map_err(failed)?;
    draft.file().write_all(text.as_bytes()).map_err(failed)?;
    draft.name_new().map(drop).map_err(failed)
}

fn create_empty(path: &Path) -> Result<LockedFile, FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    let file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    let file = lock(path, file)?;
    let meta = file.metadata().map_err(failed)?;
    if meta.is_file() && is_torn_header(path, meta.len()) {
        file.set_len(0).map_err(failed)?;
    } else if meta.is_file() && meta.len() > 0 {
        let message =
            format!("holds {} bytes already: a log begins with an empty file", meta.len());
        return Err(FileError::new(path, message));
    }
    Ok(file)
}

/// Whether all that is there is the part of a header that a run wrote which was killed then, or had a full disk.
fn is_torn_header(path: &Path, length: u64) -> bool {
    (1..LONGEST_HEADER).contains(&length)
        && std::fs::read(path).is_ok_and(|bytes| is_part_of_header(&bytes))
}

fn is_part_of_header(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER_BEGINS) && !bytes.contains(&b'\n')
}

/// The line of a bar, without the newline.
pub(crate) fn bar_line(bar: &dicehill_arena::Bar) -> serde_json::Result<String> {
    printable_json(&BarredLine { r#type: "barred", bar })
}

/// The file, and the hash over all that is in it.
struct Hashed {
    file: LockedFile,
    hasher: Box<blake3::Hasher>,
}

impl Hashed {
    fn new(file: LockedFile) -> Self {
        Self { file, hasher: Box::default() }
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The line before the result, without the newline.
pub(crate) fn seal_line(hasher: &blake3::Hasher) -> serde_json::Result<String> {
    let hash = format!("blake3:{}", hasher.finalize());
    printable_json(&SealLine { r#type: "sealed", hash })
}

/// Stands before the result, and holds the hash over all lines before it.
#[derive(Serialize)]
struct SealLine {
    r#type: &'static str,
    hash: String,
}

#[derive(Serialize)]
struct BarredLine<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    bar: &'a dicehill_arena::Bar,
}

/// Of two that write at once, one would write into the other's log.
fn lock(path: &Path, file: File) -> Result<LockedFile, FileError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(FileError::new(path, "another run writes to it")),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(LockedFile::new(file)),
    }
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
