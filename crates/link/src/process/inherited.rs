//! Descriptors that a helper process inherits from the process that started it.

use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::io::{FdFlags, fcntl_setfd};

/// Where the keeper finds its socket.
pub(crate) const SOCKET: i32 = 3;

/// Where it finds the clock of the child's moves, if there is one.
pub(crate) const CLOCK: i32 = 4;

/// The socket that was left at its descriptor, hidden from whoever is started, as is all else that was inherited
/// but the standard three.
pub(crate) fn socket() -> Option<UnixStream> {
    let is_open = std::fs::symlink_metadata(format!("/dev/fd/{SOCKET}")).is_ok();
    if !is_open {
        return None;
    }
    hide_descriptors().ok()?;
    Some(UnixStream::from(inherited(SOCKET)))
}

/// A descriptor that whoever started us has left open, and that is taken once.
pub(crate) fn inherited(number: i32) -> OwnedFd {
    #[expect(unsafe_code, reason = "a descriptor that was inherited can be had in no other way")]
    // SAFETY: what is left at these numbers is agreed on, and nothing else in this process, which
    // has one thread and has opened nothing yet, owns it.
    unsafe {
        OwnedFd::from_raw_fd(number)
    }
}

fn hide_descriptors() -> io::Result<()> {
    for entry in std::fs::read_dir("/dev/fd")? {
        let number = entry?.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some(number @ SOCKET..) = number {
            #[expect(unsafe_code, reason = "inherited descriptors have no owner here")]
            // SAFETY: it is not used after this call; should it be closed by now, the call fails.
            let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
            let _was_the_listing_s = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
        }
    }
    Ok(())
}

/// What reads as empty and takes everything.
pub(crate) fn open_nothing() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/null")
}

/// The child alone holds its ends of the pipes: the arena sees when it closes them.
pub(crate) fn let_go_of_the_pipes(nothing: &File) -> io::Result<()> {
    rustix::stdio::dup2_stdin(nothing)?;
    rustix::stdio::dup2_stdout(nothing)?;
    rustix::stdio::dup2_stderr(nothing)?;
    Ok(())
}
