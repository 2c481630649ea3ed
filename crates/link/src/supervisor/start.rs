//! Starts the child of a supervisor, or its init.

use std::ffi::OsString;
use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::Pid;

use crate::isolation::control_group::ControlGroup;
use crate::isolation::init::init;
use crate::process::child_end::ChildEnd;
use crate::process::copy::copy;

pub(super) fn start_alone(mut command: impl Iterator<Item = OsString>) -> Result<Pid, ChildEnd> {
    let program = command.next().ok_or_else(|| io::Error::other("no program"))?;
    let child = Command::new(program).args(command).process_group(0).spawn();
    child.map(|child| Pid::from_child(&child)).map_err(|error| ChildEnd::of_spawn_error(&error))
}

/// Starts the init, which waits for its [`crate::isolation::sandbox::Sandbox`] on the returned socket and reports there. It is
/// a copy of this process, which must have one thread: to start this program once more takes a millisecond.
pub(super) fn start_init(
    group: Option<&ControlGroup>,
    command: impl Iterator<Item = OsString>,
) -> io::Result<(Pid, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    match group.map_or_else(copy, ControlGroup::copy_into)? {
        Some(init) => Ok((init, ours)),
        None => std::process::exit(init(&theirs, command)),
    }
}
