//! The control group of one child: the processor time of the child and everything that it starts, a way to pause them
//! all at once, and, where the group has the controllers, limits on memory and processes that are enforced without
//! delay.
//!
//! The child's init is created in the group, which takes well below a millisecond; moving a process there takes
//! 7 to 10 ms, because the kernel waits for all processors.
//!
//! `cpu.max` is not used: it can only give a share of the processors at each moment, which would slow down a bot on the
//! move, or let it compute while others are on the move. The group only measures processor time, and
//! `crate::supervisor::allowance` decides.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

use super::control_groups::{ControlGroups, remove};
use super::limits::ResourceLimits;
use crate::process::copy::copy;

/// The control group of a child. On drop all its processes are killed, and it is removed if this process may do so. Its
/// files stay open, so that a supervisor that has given up its privileges can use them.
pub(crate) struct ControlGroup {
    folder: PathBuf,
    freeze: File,
    cpu_stat: File,
    /// `None` without limits on memory.
    memory_events: Option<File>,
    /// `None` before Linux 5.14.
    kill: Option<File>,
}

impl ControlGroup {
    /// Creates the group for the child of the supervisor with this pid.
    ///
    /// # Errors
    /// If the system refuses, or the group cannot measure processor time or freeze processes.
    pub(super) fn new(groups: &ControlGroups, supervisor: u32) -> io::Result<Self> {
        let folder = groups.folder_of_child(supervisor);
        // A supervisor with the same pid may have left it.
        let _none = fs::remove_dir(&folder);
        fs::create_dir(&folder)?;
        let open = |key: &str| named(key, File::open(folder.join(key)));
        let to_write = |key: &str| named(key, File::options().write(true).open(folder.join(key)));
        let group = Self {
            freeze: to_write("cgroup.freeze")?,
            cpu_stat: open("cpu.stat")?,
            memory_events: open("memory.events").ok(),
            kill: to_write("cgroup.kill").ok(),
            folder,
        };
        group.freeze(false)?;
        group.processor_time().ok_or_else(|| io::Error::other("cpu.stat: no `usage_usec`"))?;
        Ok(group)
    }

    /// Limits memory and processes.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn limit(&self, bounds: ResourceLimits) -> io::Result<()> {
        self.set("memory.max", bounds.group_bytes)?;
        self.set("memory.oom.group", 1)?;
        // A kernel without swap has no such limit.
        if self.folder.join("memory.swap.max").exists() {
            self.set("memory.swap.max", 0)?;
        }
        // The init counts too.
        self.set("pids.max", bounds.processes + 1)
    }

    /// Stops all processes in the group, also those that are started later, or lets them continue.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn freeze(&self, is_frozen: bool) -> io::Result<()> {
        let value: &[u8] = if is_frozen { b"1" } else { b"0" };
        named("cgroup.freeze", (&self.freeze).write_all(value))
    }

    /// The processor time of all processes that are or were in the group.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        usage(&whole_text(&self.cpu_stat)?)
    }

    fn set(&self, key: &str, value: u64) -> io::Result<()> {
        named(key, fs::write(self.folder.join(key), value.to_string()))
    }

    /// Whether the group limits memory, that of the kernel included.
    pub(crate) fn limits_memory(&self) -> bool {
        self.memory_events.is_some()
    }

    /// Copies this process, which must have one thread, into the group. Returns the pid of the copy, and in the copy `None`.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn copy_into(&self) -> io::Result<Option<Pid>> {
        if let Ok(copied) = copy_into(&File::open(&self.folder)?) {
            return Ok(copied);
        }
        // Linux before 5.7, or a container that blocks `clone3`.
        let copied = copy()?;
        if let Some(pid) = copied {
            self.set("cgroup.procs", pid.as_raw_nonzero().get().unsigned_abs().into())?;
        }
        Ok(copied)
    }

    /// Whether a process in the group was killed because the group was out of memory.
    pub(crate) fn has_run_out_of_memory(&self) -> bool {
        let events = self.memory_events.as_ref().and_then(whole_text).unwrap_or_default();
        let count = |name: &str| {
            let mut lines = events.lines().filter_map(|line| line.split_once(' '));
            lines.any(|(event, count)| event == name && count != "0")
        };
        // `oom_kill` alone also counts kills when the whole machine is out of memory, for which the child is
        // not at fault.
        count("oom") && count("oom_kill")
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // With a pid namespace, all processes have ended by now.
        if let Some(mut kill) = self.kill.as_ref() {
            let _best_effort = kill.write_all(b"1");
        }
        remove(&self.folder);
    }
}

/// Removes the group of the child of the supervisor with this pid, which has ended, if there is one.
pub(crate) fn remove_group(groups: &ControlGroups, supervisor: u32) {
    let folder = groups.folder_of_child(supervisor);
    let _since_5_14 = fs::write(folder.join("cgroup.kill"), "1");
    remove(&folder);
}

/// Names the file of a group in an error.
fn named<T>(key: &str, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{key}: {error}")))
}

/// The text of an open file of a group, from its beginning.
fn whole_text(file: &File) -> Option<String> {
    /// More than these files have.
    const MAX_BYTES: usize = 8192;
    let mut text = vec![0; MAX_BYTES];
    let read = file.read_at(&mut text, 0).ok()?;
    text.truncate(read);
    String::from_utf8(text).ok()
}

/// The processor time of all processes that are or were in the group with this folder; `None` if there is no such group.
pub(crate) fn processor_time(folder: &Path) -> Option<Duration> {
    usage(&fs::read_to_string(folder.join("cpu.stat")).ok()?)
}

/// The processor time in the text of `cpu.stat`.
fn usage(stat: &str) -> Option<Duration> {
    let used = stat.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
    Some(Duration::from_micros(used.trim().parse().ok()?))
}

/// The arguments of `clone3` as of Linux 5.7.
#[cfg(target_os = "linux")]
#[derive(Default)]
#[repr(C)]
struct CloneArguments {
    flags: u64,
    process_descriptor: u64,
    child_thread: u64,
    parent_thread: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    thread_storage: u64,
    thread_numbers: u64,
    thread_numbers_size: u64,
    control_group: u64,
}

/// `CLONE_INTO_CGROUP`.
#[cfg(target_os = "linux")]
const INTO_CONTROL_GROUP: u64 = 1 << 33;

/// Forks this process, which must have one thread, into the group with this folder. Returns the pid of the
/// copy, and in the copy `None`.
#[cfg(target_os = "linux")]
fn copy_into(folder: &File) -> io::Result<Option<Pid>> {
    let arguments = CloneArguments {
        flags: INTO_CONTROL_GROUP,
        exit_signal: libc::SIGCHLD as u64,
        control_group: std::os::fd::AsRawFd::as_raw_fd(folder) as u64,
        ..CloneArguments::default()
    };
    #[expect(unsafe_code, reason = "no safe function starts a process in a control group")]
    // SAFETY: the arguments outlive the call, and their size is passed. The copy shares no memory with this
    // process. A supervisor has one thread, so no lock can be held by another thread in the copy.
    let result = unsafe {
        libc::syscall(libc::SYS_clone3, &raw const arguments, size_of::<CloneArguments>())
    };
    match i32::try_from(result) {
        Ok(0) => Ok(None),
        Ok(pid @ 1..) => Ok(Pid::from_raw(pid)),
        Ok(_) | Err(_) => Err(io::Error::last_os_error()),
    }
}

/// Only Linux has control groups.
#[cfg(not(target_os = "linux"))]
fn copy_into(_: &File) -> io::Result<Option<Pid>> {
    Err(io::ErrorKind::Unsupported.into())
}
