//! What a process writes to stderr.

use std::io::{self, Read};
use std::process::ChildStderr;

use crate::bot_log::{BotLog, LogTail};

/// Bytes per read.
const READ_BYTES: usize = 8 << 10;

/// Reads in one go, so that a process that floods its log holds up no game.
const MAX_READS: usize = 8;

/// Reads what a process writes to stderr, and keeps the end of it for reports.
pub(super) struct ProcessLog {
    tail: LogTail,
    is_open: bool,
}

impl ProcessLog {
    pub(super) fn new() -> Self {
        Self { tail: LogTail::default(), is_open: true }
    }

    /// Whether more may come.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Reads what is available, and passes it on to the log of the bot.
    pub(super) fn drain(&mut self, stderr: &mut ChildStderr, log: &BotLog) {
        let mut bytes = [0; READ_BYTES];
        for _ in 0..MAX_READS {
            match stderr.read(&mut bytes) {
                Ok(0) => return self.is_open = false,
                Ok(got) => {
                    self.tail.push(&bytes[..got]);
                    log.write(&bytes[..got]);
                }
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
