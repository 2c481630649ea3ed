//! The lines of a run log, read one after the other.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::FileError;

/// The longest line that is read, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// What to do with a last line without its newline, which an interrupted writer leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TruncatedTail {
    /// Report the log as damaged.
    Refuse,
    /// Ignore the line.
    Ignore,
}

/// Reads the lines of a log.
pub(super) struct LineReader<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    /// The number of the last line that was read, from 1.
    pub(super) number: usize,
    /// The bytes of all complete lines so far.
    pub(super) whole_bytes: u64,
    broken_end: TruncatedTail,
}

impl<'a> LineReader<'a> {
    pub(super) fn new(path: &'a Path, file: File, broken_end: TruncatedTail) -> Self {
        let reader = BufReader::with_capacity(1 << 16, file);
        Self { path, reader, number: 0, whole_bytes: 0, broken_end }
    }

    /// The byte at which the next line starts, and the line without its newline; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<(u64, String)>, FileError> {
        let mut bytes = Vec::new();
        let read = Read::take(&mut self.reader, MAX_LINE_BYTES).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| FileError::new(self.path, error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.pop() != Some(b'\n') {
            return match self.broken_end {
                TruncatedTail::Ignore if self.number > 1 => Ok(None),
                TruncatedTail::Ignore | TruncatedTail::Refuse => {
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

    /// The last line cannot be used.
    pub(super) fn error(&self, message: impl fmt::Display) -> FileError {
        FileError::at_line(self.path, self.number, message)
    }

    /// The last line is not what was written.
    pub(super) fn altered(&self, message: impl fmt::Display) -> FileError {
        FileError::altered(self.path, Some(self.number), message)
    }
}
