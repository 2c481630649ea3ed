//! The child of a bot process, and what goes through its pipes.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dicehill_arena::{Failure, PollInterest, Reason};

use super::bot_runtime::BotRuntime;
use super::line_buffer::LineBuffer;
use super::peer::Peer;
use super::process_log::ProcessLog;
use super::redactor::Redactor;
use crate::child::ending::LogSink;
use crate::child::wait::wait_for_one;

/// Bytes per read.
const READ_BYTES: usize = 64 << 10;

/// How long a process that exceeded its deadline may take to flush its buffer once its stdin is closed.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(300);

/// The child of a bot process, and what goes through its pipes.
pub(super) struct BotConnection {
    /// `None` before it was started and after it has failed.
    pub(super) child: Option<Peer>,
    /// Bytes to be written to stdin.
    pub(super) out: Vec<u8>,
    /// What was read from stdout.
    pub(super) lines: LineBuffer,
    /// Keeps secrets out of them.
    redactor: Redactor,
    /// The buffer for reads.
    buffer: Box<[u8]>,
    log: ProcessLog,
}

/// The result of a read.
pub(super) enum ReadResult {
    Data,
    Empty,
    Closed,
}

impl BotConnection {
    pub(super) fn new(runtime: Arc<BotRuntime>) -> Self {
        Self {
            child: None,
            out: Vec::new(),
            lines: LineBuffer::default(),
            redactor: Redactor::new(runtime.secrets()),
            buffer: vec![0; READ_BYTES].into_boxed_slice(),
            log: ProcessLog::new(runtime),
        }
    }

    /// Writes what its stdin takes now.
    pub(super) fn try_flush(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let Some(stdin) = self.child.as_mut().and_then(Peer::stdin_mut) else { return };
        let mut written = 0;
        while written < self.out.len() {
            match stdin.write(&self.out[written..]) {
                Ok(bytes) => written += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // Reading its stdout will show why.
                Err(_) => written = self.out.len(),
            }
        }
        self.out.drain(..written);
    }

    /// Reads what its stdout has now.
    pub(super) fn read_available(&mut self) -> Result<ReadResult, Failure> {
        let Some(child) = &mut self.child else { return Ok(ReadResult::Closed) };
        loop {
            match child.stdout_mut().read(&mut self.buffer) {
                Ok(0) => return Ok(ReadResult::Closed),
                Ok(got) => {
                    self.lines.push(&self.redactor.clean(&self.buffer[..got]));
                    return Ok(ReadResult::Data);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(ReadResult::Empty);
                }
                // A server that was killed resets its sockets.
                Err(_) if child.is_remote() => return Ok(ReadResult::Closed),
                Err(error) => {
                    return Err(Failure::new(Reason::Crash, format!("its output: {error}")));
                }
            }
        }
    }

    /// Closes its stdin. Returns whether it writes something then: its answer was written but not flushed.
    pub(super) fn flushes_once_input_is_closed(&mut self) -> bool {
        let until = Instant::now() + FLUSH_TIMEOUT;
        if let Some(child) = &mut self.child {
            child.close_stdin();
        }
        while Instant::now() < until && self.lines.pending().is_empty() {
            let Some(child) = &self.child else { return false };
            wait_for_one(PollInterest {
                stdout: Some(child.stdout()),
                deadline: Some(until),
                ..PollInterest::default()
            });
            if matches!(self.read_available(), Ok(ReadResult::Closed) | Err(_)) {
                break;
            }
        }
        !self.lines.pending().is_empty()
    }

    /// Reads what its stderr has now.
    pub(super) fn drain_log(&mut self) {
        if let Some(stderr) = self.child.as_mut().and_then(Peer::stderr_mut) {
            self.log.drain(stderr);
        }
    }

    /// Takes what it writes to stderr once it was asked to end.
    pub(super) fn log_sink(&self) -> Arc<dyn LogSink> {
        self.log.sink()
    }

    /// The last lines that it wrote to stderr, escaped for display.
    pub(super) fn last_log_lines(&mut self) -> Vec<String> {
        self.log.last_lines()
    }

    /// What to wait for before the next step; only the deadline if there is no child.
    pub(super) fn poll_interest(&self, deadline: Option<Instant>) -> PollInterest<'_> {
        let child = self.child.as_ref();
        PollInterest {
            stdout: child.map(Peer::stdout),
            stderr: child.and_then(Peer::stderr).filter(|_| self.log.is_open()),
            stdin: child.and_then(Peer::stdin).filter(|_| !self.out.is_empty()),
            deadline,
        }
    }

    /// Sets whether the child owes an answer.
    pub(super) fn set_on_move(&mut self, is_on_move: bool) {
        if let Some(child) = &mut self.child {
            child.set_on_move(is_on_move);
        }
    }

    /// The child owes several answers at a time.
    pub(super) fn set_several_owed(&self) {
        if let Some(child) = &self.child {
            child.set_several_owed();
        }
    }

    /// The processor time that the child has used so far, if that is known.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        self.child.as_ref().and_then(Peer::group_processor_time)
    }

    /// The same, also of a child without a control group, where only living processes count. It takes longer.
    pub(super) fn total_processor_time(&self) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        let of_processes = || self.child.as_ref().and_then(Peer::processor_time);
        #[cfg(not(target_os = "linux"))]
        let of_processes = || None;
        self.processor_time().or_else(of_processes)
    }
}
