//! Answers system calls that a child's filter refuses, and names them in its log.
//!
//! The filter asks for an answer (seccomp's user notification), which is always that the call does not exist. After
//! [`MAX_ANSWERED_CALLS`] of them the supervisor stops listening, and the kernel gives the same answer itself, so that a bot
//! cannot keep its supervisor busy.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, IoSliceMut, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;

use rustix::ioctl::{Updater, ioctl, opcode};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use super::call_names::name_of;

/// How many refused calls of a child are answered here.
const MAX_ANSWERED_CALLS: u32 = 256;

/// `struct seccomp_notif`: a call that waits for its answer.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Request {
    id: u64,
    pid: u32,
    flags: u32,
    call: i32,
    architecture: u32,
    instruction: u64,
    arguments: [u64; 6],
}

/// `struct seccomp_notif_resp`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Response {
    id: u64,
    value: i64,
    error: i32,
    flags: u32,
}

pub(super) const RECEIVE: rustix::ioctl::Opcode = opcode::read_write::<Request>(b'!', 0);
pub(super) const SEND: rustix::ioctl::Opcode = opcode::read_write::<Response>(b'!', 1);

/// The refused calls of one child.
pub(crate) struct RefusedCalls {
    listener: OwnedFd,
    /// The child's log, which may be full: it does not block.
    log: Option<File>,
    named: BTreeSet<(i32, u64)>,
    answered: u32,
}

impl RefusedCalls {
    pub(crate) fn new(listener: OwnedFd, log: Option<File>) -> Self {
        Self { listener, log, named: BTreeSet::new(), answered: 0 }
    }

    /// Becomes readable when a call was refused.
    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }

    /// Answers one call. Returns whether to listen for more.
    pub(crate) fn answer(&mut self) -> bool {
        let mut request = Request::default();
        #[expect(unsafe_code, reason = "no safe function makes this call")]
        // SAFETY: the kernel reads and writes a `struct seccomp_notif`, whose size is part of the operation.
        let received = unsafe { ioctl(&self.listener, Updater::<RECEIVE, _>::new(&mut request)) };
        match received {
            // The process was killed meanwhile.
            Err(rustix::io::Errno::NOENT | rustix::io::Errno::INTR) => return true,
            Err(_) => return false,
            Ok(()) => {}
        }
        let error = -libc::ENOSYS;
        let mut response = Response { id: request.id, error, ..Response::default() };
        #[expect(unsafe_code, reason = "no safe function makes this call")]
        // SAFETY: the kernel reads a `struct seccomp_notif_resp`, whose size is part of the operation.
        let _may_be_gone = unsafe { ioctl(&self.listener, Updater::<SEND, _>::new(&mut response)) };
        self.report(&request);
        self.answered += 1;
        self.answered < MAX_ANSWERED_CALLS
    }

    /// Names a call in the log, once.
    fn report(&mut self, request: &Request) {
        let decisive = decisive_argument(request.call).map(|at| request.arguments[at]);
        let Some(log) = &mut self.log else { return };
        if !self.named.insert((request.call, decisive.unwrap_or_default())) {
            return;
        }
        let name = name_of(request.call);
        let argument = decisive.map_or(String::new(), |value| format!(" ({value:#x})"));
        let line = format!("dicehill: the sandbox refused the system call {name}{argument}\n");
        // A log that cannot be written must not affect a game.
        let _best_effort = log.write_all(line.as_bytes());
    }
}

/// The argument by which a call that is allowed otherwise was refused.
fn decisive_argument(call: i32) -> Option<usize> {
    match i64::from(call) {
        libc::SYS_clone | libc::SYS_prctl | libc::SYS_socket | libc::SYS_prlimit64 => Some(0),
        libc::SYS_fcntl | libc::SYS_ioctl | libc::SYS_sched_setscheduler | libc::SYS_socketpair => {
            Some(1)
        }
        libc::SYS_madvise | libc::SYS_getsockopt | libc::SYS_setsockopt | libc::SYS_close_range => {
            Some(2)
        }
        libc::SYS_mmap | libc::SYS_statx => Some(3),
        _ => None,
    }
}

/// Opens this process's stderr again, so that writing does not block.
pub(crate) fn open_log() -> Option<File> {
    let mut options = File::options();
    options.write(true).custom_flags(libc::O_NONBLOCK).open("/proc/self/fd/2").ok()
}

/// Receives up to `bytes.len()` bytes without waiting, and the descriptor that was passed with them, if any.
pub(crate) fn receive(
    socket: &UnixStream,
    bytes: &mut [u8],
) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut passed = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let received = recvmsg(socket, &mut [IoSliceMut::new(bytes)], &mut passed, flags)?;
    let mut descriptor = None;
    for message in passed.drain() {
        if let RecvAncillaryMessage::ScmRights(mut descriptors) = message {
            descriptor = descriptors.next();
        }
    }
    Ok((received.bytes, descriptor))
}
