//! The streams on Unix.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};

/// Duplicates stdout for answers and redirects descriptor 1 to stderr, so that neither a `println!` nor a child process can break the
/// protocol.
pub(crate) fn keep_stdout() -> io::Result<File> {
    let out = io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(File::from(out))
}

/// Stdin without the buffer of the standard library.
pub(crate) fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Waits until a non-blocking stream has bytes, or has ended.
pub(crate) fn wait_to_read(stream: &File) -> io::Result<()> {
    wait(stream, PollFlags::IN)
}

/// Waits until a non-blocking stream takes bytes.
pub(crate) fn wait_to_write(stream: &File) -> io::Result<()> {
    wait(stream, PollFlags::OUT)
}

fn wait(stream: &File, flags: PollFlags) -> io::Result<()> {
    match poll(&mut [PollFd::new(&stream.as_fd(), flags)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
