//! The streams on Windows, where prints are not redirected: the standard library cannot replace stdout.

use std::fs::File;
use std::io;
use std::os::windows::io::AsHandle;

/// Duplicates stdout for answers.
pub(crate) fn keep_stdout() -> io::Result<File> {
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// Stdin without the buffer of the standard library.
pub(crate) fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

/// Pipes of another process always block, so that this is not called for one.
pub(crate) fn wait_to_read(_stream: &File) -> io::Result<()> {
    Err(io::ErrorKind::WouldBlock.into())
}

/// See [`wait_to_read`].
pub(crate) fn wait_to_write(_stream: &File) -> io::Result<()> {
    Err(io::ErrorKind::WouldBlock.into())
}
