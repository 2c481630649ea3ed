//! Starts the child of a supervisor, or its init.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;

use command_fds::{CommandFdExt, FdMapping};
use rustix::process::Pid;

use crate::isolation::control_group::ControlGroup;
use crate::isolation::init::INIT_ARGUMENT;
use crate::process::child_end::ChildEnd;
use crate::process::inherited::SOCKET;

pub(super) fn start_alone(mut command: impl Iterator<Item = OsString>) -> Result<Pid, ChildEnd> {
    let program = command.next().ok_or_else(|| io::Error::other("no program"))?;
    let child = Command::new(program).args(command).process_group(0).spawn();
    child.map(|child| Pid::from_child(&child)).map_err(|error| ChildEnd::of_spawn_error(&error))
}

/// Starts the init, which waits for its [`crate::isolation::sandbox::Sandbox`] on the returned socket and reports there.
pub(super) fn start_init(
    group: Option<&ControlGroup>,
    command: impl Iterator<Item = OsString>,
) -> io::Result<(Pid, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut init = Command::new("/proc/self/exe");
    init.arg(INIT_ARGUMENT).args(command);
    let mapping = FdMapping { parent_fd: OwnedFd::from(theirs), child_fd: SOCKET };
    init.fd_mappings(vec![mapping]).map_err(io::Error::other)?;
    let child = match group {
        Some(group) => group.start(&mut init)?,
        None => Pid::from_child(&init.spawn()?),
    };
    Ok((child, ours))
}
