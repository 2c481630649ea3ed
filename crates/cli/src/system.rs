//! What the command asks of the operating system, where systems differ: each has a module with the same functions.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::survive_file_size_limit;
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub use windows::survive_file_size_limit;
#[cfg(windows)]
pub(crate) use windows::*;
