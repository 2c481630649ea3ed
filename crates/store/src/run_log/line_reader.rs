//! The lines of a run log, read one after the other.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::FileError;

/// The longest line that is kept in memory, in bytes. Only that of a result may be longer.
const MAX_HELD_BYTES: u64 = 64 << 20;
/// How each result begins.
const RESULT_BEGINS: &[u8] = b"{\"schema\":\"dicehill.result/1\",";

/// What to do with lines that a crash has left incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TruncatedTail {
    /// Report the log as damaged.
    Refuse,
    /// Ignore a last line without its newline, which a killed writer leaves.
    Ignore,
    /// Ignore everything from the first line on that is not the line of a log. After a power failure, part of what was not
    /// yet synced may be missing or read as NUL bytes.
    Discard,
}

/// Reads the lines of a log.
pub(crate) struct LineReader<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    /// The number of the last line that was read, from 1.
    pub(crate) number: usize,
    /// The bytes of all complete lines so far.
    pub(crate) whole_bytes: u64,
}

/// A line without its newline.
pub(crate) enum Line {
    /// A line in memory.
    Held(Vec<u8>),
    /// A line that is too long to be kept in memory, by its length in bytes: that of a result.
    Result(u64),
    /// The last line, without a newline.
    Incomplete { has_holes: bool },
}

impl<'a> LineReader<'a> {
    pub(crate) fn new(path: &'a Path, file: File) -> Self {
        let reader = BufReader::with_capacity(1 << 16, file);
        Self { path, reader, number: 0, whole_bytes: 0 }
    }

    /// The byte at which the next line starts, and the line; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, Line)>, FileError> {
        let mut bytes = Vec::new();
        let read = Read::take(&mut self.reader, MAX_HELD_BYTES).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| FileError::new(self.path, error))? as u64;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        let start = self.whole_bytes;
        if bytes.pop_if(|last| *last == b'\n').is_some() {
            self.whole_bytes += read;
            return Ok(Some((start, Line::Held(bytes))));
        }
        let is_result = bytes.starts_with(RESULT_BEGINS);
        let has_holes = bytes.contains(&0);
        drop(bytes);
        let (more, is_complete) =
            self.skip_line().map_err(|error| FileError::new(self.path, error))?;
        let length = read + more;
        if !is_complete {
            return Ok(Some((start, Line::Incomplete { has_holes })));
        }
        if !is_result {
            let most = MAX_HELD_BYTES >> 20;
            return Err(
                self.error(format!("longer than {most} MiB, which is allowed only for a result"))
            );
        }
        self.whole_bytes += length + 1;
        Ok(Some((start, Line::Result(length))))
    }

    /// Skips the rest of a line with its newline: returns its bytes without the newline, and whether there was one.
    fn skip_line(&mut self) -> io::Result<(u64, bool)> {
        let mut skipped = 0;
        loop {
            let available = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                available => available?,
            };
            if available.is_empty() {
                return Ok((skipped, false));
            }
            let newline = memchr::memchr(b'\n', available);
            let used = newline.unwrap_or(available.len());
            skipped += used as u64;
            self.reader.consume(used + usize::from(newline.is_some()));
            if newline.is_some() {
                return Ok((skipped, true));
            }
        }
    }

    /// The last line cannot be used.
    pub(crate) fn error(&self, message: impl fmt::Display) -> FileError {
        FileError::at_line(self.path, self.number, message)
    }

    /// The last line is not what was written.
    pub(crate) fn altered(&self, message: impl fmt::Display) -> FileError {
        FileError::altered(self.path, Some(self.number), message)
    }
}
