//! The two parts of a supervisor whose arena runs as root.
//!
//! One part starts the child and watches it, which takes privileges only until the init, which starts the child, is there. The other part keeps
//! them. It waits for the end of the first part and removes what that may not remove: control groups and folders. It reads
//! nothing that a child has written.

use std::io;

use rustix::process::{Pid, WaitOptions, waitpid};

use crate::process::copy::copy;
use crate::process::inherited::{open_null, release_standard_streams};

/// The exit status of the part that watches if the end of the child could not be reported to the arena.
pub(super) const NOT_REPORTED: u8 = 1;

/// Splits this process, which must have one thread. Returns the pid of the part that watches, and in that part `None`.
pub(super) fn split() -> io::Result<Option<Pid>> {
    let null = open_null()?;
    let watcher = copy()?;
    if watcher.is_some() {
        let _cannot_fail = release_standard_streams(&null);
    }
    Ok(watcher)
}

/// Waits for the end of the part that watches. Returns false if it could not report to the arena.
pub(super) fn wait_for(watcher: Pid) -> bool {
    loop {
        match waitpid(Some(watcher), WaitOptions::empty()) {
            Ok(Some((_, status))) => return status.exit_status() != Some(NOT_REPORTED.into()),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return true,
        }
    }
}
