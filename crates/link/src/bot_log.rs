//! What bots write to stderr: the beginning is kept in a file, the end for reports.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use dicehill_arena::printable;

use crate::protocol::excerpt;

/// Bytes that are kept in a log file.
const MAX_BYTES: usize = 1 << 20;

/// The same for a bot with a network, whose log may have all that it was sent.
const MAX_BYTES_WITH_NETWORK: usize = 256 << 20;

/// Bytes from which the last lines are taken.
const TAIL_BYTES: usize = 16 << 10;

/// Lines in a report.
const TAIL_LINES: usize = 20;

/// The log of a bot, shared by all its processes. Without a file it discards everything.
#[derive(Default)]
pub struct BotLog(Mutex<Option<LogFile>>);

struct LogFile {
    file: File,
    written: usize,
    /// The most bytes that are written.
    most: usize,
    /// The start of a character whose remaining bytes have not arrived.
    unfinished: Vec<u8>,
}

impl BotLog {
    /// A log that is kept in a file, up to one mebibyte. Control characters are escaped, so that it is safe
    /// to display in a terminal.
    #[must_use]
    pub fn with_file(file: File) -> Self {
        Self::with_size(file, MAX_BYTES)
    }

    /// The same for a bot with a network, up to 256 mebibytes.
    #[must_use]
    pub fn with_long_file(file: File) -> Self {
        Self::with_size(file, MAX_BYTES_WITH_NETWORK)
    }

    fn with_size(file: File, most: usize) -> Self {
        Self(Mutex::new(Some(LogFile { file, written: 0, most, unfinished: Vec::new() })))
    }

    /// Appends what a process wrote. Errors are ignored: a log that cannot be written must not affect a game.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(log) = file.as_mut() else { return };
        if log.written > log.most {
            return;
        }
        let text = log.shown(bytes);
        let bytes = text.as_bytes();
        let remaining = log.most.saturating_sub(log.written);
        let _best_effort = log.file.write_all(&bytes[..bytes.len().min(remaining)]);
        if log.written + bytes.len() > log.most {
            let _best_effort = writeln!(log.file, "\n... the log is full: {} bytes", log.most);
        }
        log.written = log.written.saturating_add(bytes.len());
    }
}

impl LogFile {
    /// The bytes after those of an unfinished character, as lines of printable text.
    fn shown(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.unfinished);
        all.extend(bytes);
        let mut text = String::with_capacity(all.len());
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for piece in chunk.valid().split_inclusive(['\n', '\t']) {
                let plain = piece.strip_suffix(['\n', '\t']).unwrap_or(piece);
                text.push_str(&printable(plain));
                text.push_str(&piece[plain.len()..]);
            }
            if chunks.peek().is_none() && is_unfinished(chunk.invalid()) {
                self.unfinished = chunk.invalid().to_vec();
            } else {
                text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
            }
        }
        text
    }
}

/// Whether these bytes can be the start of a character.
fn is_unfinished(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// The end of what a process wrote.
#[derive(Default)]
pub(crate) struct LogTail(VecDeque<u8>);

impl LogTail {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend(&bytes[bytes.len().saturating_sub(TAIL_BYTES)..]);
        let surplus = self.0.len().saturating_sub(TAIL_BYTES);
        self.0.drain(..surplus);
    }

    /// The last lines, escaped for display.
    pub(crate) fn lines(&mut self) -> Vec<String> {
        let lines = self.0.make_contiguous().split(|byte| *byte == b'\n');
        let lines: Vec<_> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
        lines[lines.len().saturating_sub(TAIL_LINES)..]
            .iter()
            .map(|line| excerpt(&without_tabs(line)))
            .collect()
    }
}

/// Replaces tabs, by which stack traces are indented.
fn without_tabs(line: &[u8]) -> Vec<u8> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.iter()
        .flat_map(|byte| if *byte == b'\t' { &b"    "[..] } else { std::slice::from_ref(byte) })
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = BotLog::with_file(File::create(&path).unwrap());
        // A character may arrive in two parts.
        let parts: [&[u8]; 5] =
            [b"\tat x\n\x1b[2J", b"\xc3", b"\xa4\xe2\x80", b"\xae|\xff\r\n", b"\xc3"];
        parts.iter().for_each(|part| log.write(part));
        log.write(b"x");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, "\tat x\n\\u{1b}[2Jä\\u{202e}|\\xff\\r\n\\xc3x");
    }

    #[test]
    fn a_log_is_limited_in_size_and_says_so_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = BotLog::with_file(File::create(&path).unwrap());
        (0..100).for_each(|_| log.write(&[b'\x1b'; 8192]));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.len() < MAX_BYTES + 100 && text.ends_with("the log is full: 1048576 bytes\n"));
    }
}
