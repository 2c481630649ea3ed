//! Descriptors that a helper process inherits from the process that started it.

use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::io::{FdFlags, fcntl_setfd};

/// The descriptor of the socket to the process that started a helper.
pub(crate) const SOCKET: i32 = 3;

/// The descriptor of the child's move clock, if there is one.
pub(crate) const CLOCK: i32 = 4;

/// The inherited socket. All inherited descriptors except the standard three are closed in programs that this
/// process executes, and those that are not meant for it at once.
pub(crate) fn inherited_socket() -> Option<UnixStream> {
    let is_open = std::fs::symlink_metadata(format!("/dev/fd/{SOCKET}")).is_ok();
    if !is_open {
        return None;
    }
    #[cfg(target_os = "linux")]
    close_range(CLOCK + 1, i32::MAX);
    hide_descriptors().ok()?;
    Some(UnixStream::from(take_inherited(SOCKET)))
}

/// An inherited descriptor. Each may be taken only once.
pub(crate) fn take_inherited(number: i32) -> OwnedFd {
    #[expect(unsafe_code, reason = "no safe function takes an inherited descriptor")]
    // SAFETY: the numbers are a convention with the process that started this one, which has one thread and
    // has opened nothing yet; so nothing else in it owns them.
    unsafe {
        OwnedFd::from_raw_fd(number)
    }
}

/// Closes all descriptors of a copy of a process except the standard three and this one. Their owners in the copy must never be
/// dropped.
#[cfg(target_os = "linux")]
pub(crate) fn close_all_but(kept: &UnixStream) {
    let kept = kept.as_raw_fd();
    close_range(SOCKET, kept - 1);
    close_range(kept + 1, i32::MAX);
}

/// Closes descriptors that nothing in this process uses any more. Before Linux 5.9 they are only hidden from programs that it
/// executes.
#[cfg(target_os = "linux")]
fn close_range(first: i32, last: i32) {
    #[expect(unsafe_code, reason = "no safe function closes descriptors by their numbers")]
    // SAFETY: the callers name descriptors without an owner, or whose owners are never used or dropped.
    unsafe {
        libc::syscall(libc::SYS_close_range, first, last, 0);
    }
}

fn hide_descriptors() -> io::Result<()> {
    for entry in std::fs::read_dir("/dev/fd")? {
        let number = entry?.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some(number @ SOCKET..) = number {
            #[expect(unsafe_code, reason = "inherited descriptors have no owner here")]
            // SAFETY: it is not used after this call; if it is closed by now, the call fails.
            let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
            let _may_be_the_listing = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
        }
    }
    Ok(())
}

/// Reads as empty, and discards what is written.
pub(crate) fn open_null() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/null")
}

/// Closes this process's copies of the pipes, so that the arena sees when the child closes its own.
pub(crate) fn release_standard_streams(null: &File) -> io::Result<()> {
    rustix::stdio::dup2_stdin(null)?;
    rustix::stdio::dup2_stdout(null)?;
    rustix::stdio::dup2_stderr(null)?;
    Ok(())
}
