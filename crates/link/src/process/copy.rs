//! Copies this process.

use std::io;

use rustix::process::Pid;

/// Copies this process, which must have one thread. Returns the pid of the copy, and in the copy `None`. The copy has all
/// descriptors of this process, and a program that it executes those that are not closed on execution.
///
/// # Errors
/// If the system refuses.
pub(crate) fn copy() -> io::Result<Option<Pid>> {
    #[expect(unsafe_code, reason = "no safe function copies a process")]
    // SAFETY: this process has one thread, so no lock can be held by another thread in the copy.
    let result = unsafe { libc::fork() };
    match result {
        0 => Ok(None),
        pid @ 1.. => Ok(Pid::from_raw(pid)),
        _ => Err(io::Error::last_os_error()),
    }
}
