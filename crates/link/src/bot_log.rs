//! What bots write to their stderr: kept in part, for files and reports.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::excerpt;

/// Bytes of a log that are kept in its file.
const LONGEST: usize = 1 << 20;
/// Bytes of a log that its tail is taken from.
const TAIL: usize = 16 << 10;
/// Lines of a log in a report.
const LINES: usize = 20;

/// The log of a program, over all its processes.
#[derive(Default)]
pub struct BotLog(Mutex<Option<LogFile>>);

struct LogFile {
    file: File,
    written: usize,
}

impl BotLog {
    /// A log that is kept in a file, up to a mebibyte.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn in_file(path: &Path) -> std::io::Result<Self> {
        let file = File::create(path)?;
        Ok(Self(Mutex::new(Some(LogFile { file, written: 0 }))))
    }

    /// Takes what a process wrote. A log that cannot be written harms nobody's game.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(log) = kept.as_mut() else { return };
        let room = LONGEST.saturating_sub(log.written);
        let _best_effort = log.file.write_all(&bytes[..bytes.len().min(room)]);
        if log.written <= LONGEST && log.written + bytes.len() > LONGEST {
            let _best_effort = writeln!(log.file, "\n... the log is full: {LONGEST} bytes");
        }
        log.written = log.written.saturating_add(bytes.len());
    }
}

/// The end of what a process wrote.
#[derive(Default)]
pub(crate) struct Tail(VecDeque<u8>);

impl Tail {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend(&bytes[bytes.len().saturating_sub(TAIL)..]);
        let surplus = self.0.len().saturating_sub(TAIL);
        self.0.drain(..surplus);
    }

    /// The last lines, made fit to be shown.
    pub(crate) fn lines(&mut self) -> Vec<String> {
        let lines = self.0.make_contiguous().split(|byte| *byte == b'\n');
        let lines: Vec<_> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
        lines[lines.len().saturating_sub(LINES)..]
            .iter()
            .map(|line| excerpt(&expanded(line)))
            .collect()
    }
}

/// Stack traces are indented by tabs.
fn expanded(line: &[u8]) -> Vec<u8> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.iter()
        .flat_map(|byte| if *byte == b'\t' { &b"    "[..] } else { std::slice::from_ref(byte) })
        .copied()
        .collect()
}
