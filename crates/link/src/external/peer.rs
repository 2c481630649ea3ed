//! What a bot's requests go to: a child process, or a remote bot.

use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::Arc;
use std::time::Duration;

use super::remote_session::RemoteSession;
use crate::child::child_process::ChildProcess;
use crate::child::ending::LogSink;
use crate::process::child_end::ChildEnd;

/// What a bot's requests go to, and its answers come from.
pub(super) enum Peer {
    /// A process on this machine.
    Child(Box<ChildProcess>),
    /// A process on its author's machine, of which nothing can be measured here.
    Remote(RemoteSession),
}

impl Peer {
    pub(super) const fn is_remote(&self) -> bool {
        matches!(self, Self::Remote(_))
    }

    pub(super) fn keep_remaining_log(&mut self, sink: Arc<dyn LogSink>) {
        if let Self::Child(child) = self {
            child.keep_remaining_log(sink);
        }
    }

    pub(super) const fn stdin(&self) -> Option<&ChildStdin> {
        match self {
            Self::Child(child) => child.stdin(),
            Self::Remote(session) => session.input(),
        }
    }

    pub(super) const fn stdin_mut(&mut self) -> Option<&mut ChildStdin> {
        match self {
            Self::Child(child) => child.stdin_mut(),
            Self::Remote(session) => session.input_mut(),
        }
    }

    pub(super) const fn stdout(&self) -> &ChildStdout {
        match self {
            Self::Child(child) => child.stdout(),
            Self::Remote(session) => session.output(),
        }
    }

    pub(super) const fn stdout_mut(&mut self) -> &mut ChildStdout {
        match self {
            Self::Child(child) => child.stdout_mut(),
            Self::Remote(session) => session.output_mut(),
        }
    }

    /// Its log, to poll; a remote bot keeps its own.
    pub(super) const fn stderr(&self) -> Option<&ChildStderr> {
        match self {
            Self::Child(child) => Some(child.stderr()),
            Self::Remote(_) => None,
        }
    }

    pub(super) const fn stderr_mut(&mut self) -> Option<&mut ChildStderr> {
        match self {
            Self::Child(child) => Some(child.stderr_mut()),
            Self::Remote(_) => None,
        }
    }

    pub(super) fn close_stdin(&mut self) {
        match self {
            Self::Child(child) => child.close_stdin(),
            Self::Remote(session) => session.close_input(),
        }
    }

    pub(super) fn peak_bytes(&self) -> u64 {
        match self {
            Self::Child(child) => child.peak_bytes(),
            Self::Remote(_) => 0,
        }
    }

    pub(super) fn set_on_move(&mut self, is_on_move: bool) {
        if let Self::Child(child) = self {
            child.set_on_move(is_on_move);
        }
    }

    pub(super) fn set_several_owed(&self) {
        if let Self::Child(child) = self {
            child.set_several_owed();
        }
    }

    pub(super) fn group_processor_time(&self) -> Option<Duration> {
        match self {
            Self::Child(child) => child.group_processor_time(),
            Self::Remote(_) => None,
        }
    }

    #[cfg(target_os = "linux")]
    pub(super) fn processor_time(&self) -> Option<Duration> {
        match self {
            Self::Child(child) => Some(child.processor_time()),
            Self::Remote(_) => None,
        }
    }

    pub(super) fn kill(&mut self) {
        match self {
            Self::Child(child) => child.kill(),
            Self::Remote(session) => session.close(),
        }
    }

    pub(super) fn wait_for_end(&mut self, wait: Duration) -> Option<ChildEnd> {
        match self {
            Self::Child(child) => child.wait_for_end(wait),
            Self::Remote(_) => None,
        }
    }
}
