//! The connection of a supervisor to the init of its child.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use rustix::event::PollFlags;

use crate::isolation::refused_calls::{RefusedCalls, open_log, receive};
use crate::isolation::sandbox::Sandbox;

/// The socket to an init, and the child's refused system calls, which arrive on a descriptor that comes through it.
pub(super) struct InitConnection {
    socket: UnixStream,
    /// The child's log.
    log: Option<File>,
    /// Until nothing more can come.
    is_open: bool,
    refused: Option<RefusedCalls>,
    /// What the init has reported so far.
    report: Vec<u8>,
}

impl InitConnection {
    /// Must be called before this process's stderr is replaced, which is the child's log.
    pub(super) fn new(socket: UnixStream) -> Self {
        Self { socket, log: open_log(), is_open: true, refused: None, report: Vec::new() }
    }

    /// Tells the init what to set up. Not as an argument: the child can read the command line of the init.
    pub(super) fn send(&self, sandbox: &Sandbox) -> io::Result<()> {
        let mut line = serde_json::to_vec(sandbox)?;
        line.push(b'\n');
        (&self.socket).write_all(&line)
    }

    /// Lets the init start the child. One that cannot has reported why.
    pub(super) fn release(&self) {
        let _may_have_ended =
            (&self.socket).write_all(b"\n").and_then(|()| self.socket.shutdown(Shutdown::Write));
    }

    /// What to wait for, if anything.
    pub(super) fn as_fd(&self) -> Option<BorrowedFd<'_>> {
        match &self.refused {
            Some(refused) => Some(refused.as_fd()),
            None => self.is_open.then(|| self.socket.as_fd()),
        }
    }

    /// Handles what has arrived, as `poll` reported it.
    pub(super) fn handle(&mut self, arrived: PollFlags) {
        if let Some(refused) = &mut self.refused {
            // Without a call, waiting for one might not end: the child's processes have ended.
            if !arrived.contains(PollFlags::IN) || !refused.answer() {
                self.refused = None;
                self.is_open = false;
            }
            return;
        }
        let mut bytes = [0; 64];
        match receive(&self.socket, &mut bytes) {
            Ok((_, Some(listener))) => {
                self.refused = Some(RefusedCalls::new(listener, self.log.take()));
            }
            Ok((received @ 1.., None)) => self.report.extend(&bytes[..received]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok((0, None)) | Err(_) => self.is_open = false,
        }
    }

    /// The whole report of an init that has ended.
    pub(super) fn report(&mut self) -> String {
        let _may_be_incomplete = self.socket.read_to_end(&mut self.report);
        String::from_utf8_lossy(&self.report).trim_start().to_owned()
    }
}
