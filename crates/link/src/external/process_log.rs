//! What a process writes to stderr.

use std::io::{self, Read};
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};

use super::bot_runtime::BotRuntime;
use super::redactor::Redactor;
use crate::bot_log::LogTail;
use crate::child::ending::LogSink;

/// Bytes per read.
const READ_BYTES: usize = 8 << 10;

/// Reads in one go, so that a process that floods its log holds up no game.
const MAX_READS: usize = 8;

/// The longest line that goes into the log of the bot as a whole, in bytes.
const MAX_WHOLE_LINE: usize = 1 << 20;

/// Reads what a process writes to stderr, and keeps the end of it for reports.
pub(super) struct ProcessLog {
    tail: LogTail,
    is_open: bool,
    lines: Arc<LogLines>,
}

impl ProcessLog {
    pub(super) fn new(runtime: Arc<BotRuntime>) -> Self {
        let lines = Arc::new(LogLines::new(runtime));
        Self { tail: LogTail::default(), is_open: true, lines }
    }

    /// Takes what the process writes when nothing is read here any more.
    pub(super) fn sink(&self) -> Arc<dyn LogSink> {
        Arc::clone(&self.lines) as Arc<dyn LogSink>
    }

    /// Whether more may come.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Reads what is available, and passes it on to the log of the bot.
    pub(super) fn drain(&mut self, stderr: &mut ChildStderr) {
        let mut bytes = [0; READ_BYTES];
        for _ in 0..MAX_READS {
            match stderr.read(&mut bytes) {
                Ok(0) => return self.is_open = false,
                Ok(got) => self.tail.push(&self.lines.pass_on(&bytes[..got])),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Its last lines, escaped for display.
    pub(super) fn last_lines(&mut self) -> Vec<String> {
        self.tail.lines()
    }
}

/// Passes what a process writes on to the log of its bot: without secrets, and in whole lines, as several processes write to
/// that log.
struct LogLines {
    runtime: Arc<BotRuntime>,
    state: Mutex<LinesState>,
}

struct LinesState {
    redactor: Redactor,
    /// The start of a line that has not ended.
    unfinished: Vec<u8>,
}

impl LogLines {
    fn new(runtime: Arc<BotRuntime>) -> Self {
        let redactor = Redactor::new(runtime.secrets());
        Self { runtime, state: Mutex::new(LinesState { redactor, unfinished: Vec::new() }) }
    }

    /// Passes bytes on, and returns them without secrets.
    fn pass_on(&self, bytes: &[u8]) -> Vec<u8> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let clean = state.redactor.clean(bytes).into_owned();
        state.unfinished.extend(&clean);
        let end = state.unfinished.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let is_long = state.unfinished.len() - end > MAX_WHOLE_LINE;
        let end = if is_long { state.unfinished.len() } else { end };
        if end > 0 {
            self.runtime.log().write(&state.unfinished[..end]);
            state.unfinished.drain(..end);
        }
        clean
    }
}

impl LogSink for LogLines {
    fn write(&self, bytes: &[u8]) {
        self.pass_on(bytes);
    }
}

impl Drop for LogLines {
    /// Passes the last line on, also if it has no end.
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.runtime.log().write(&state.unfinished);
    }
}
