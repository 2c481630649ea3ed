//! The isolation of child processes.
//!
//! A sandboxed child sees the system's runtimes, the paths that it may read, and its own folder; it sees no other
//! process, has no network, and cannot measure the load of the machine. Two processes set this up. The supervisor
//! creates a control group if the arena may have one ([`control_groups`], [`control_group`]) and enters namespaces
//! (`linux::namespaces`). The init, the first process in those namespaces ([`mod@init`]), mounts a new root folder
//! (`linux::root_folder`), drops privileges, and applies resource limits (`linux::rlimits`). It starts the child, which applies
//! Landlock (`linux::landlock_rules`) and seccomp (`linux::seccomp_filter`) to itself before it executes its program. The supervisor
//! answers the system calls that seccomp refuses and names them in the child's log ([`refused_calls`]).
//!
//! Each of these is a step that may be impossible on a machine. A probe tries them all once
//! (`crate::child::probe`). A step that failed then is skipped later and reported as a missing mechanism; a step that
//! worked then and fails later prevents the child from being started.
//!
//! # Why this is not left to a crate
//!
//! hakoniwa 1.8, which combines namespaces, limits, Landlock and seccomp, was tested against the attacks first. Its bots
//! are the first process of their pid namespace, with nothing above them but the parent-death signal, so that a bot
//! that clears this signal outlived both being killed and the arena. It does not change the user when root runs it, so
//! that limits on the number of processes do not bind, and it has no Landlock scopes. Starting a child took 3.8 ms, and
//! 56 ms from a program with 1 GiB of memory, because it forks that program. The crates `landlock` and `seccompiler`
//! and a few calls of `rustix` do what is needed.
//!
//! Control groups are files, which no crate has to write. Most machines delegate none to the arena, so that they are an
//! addition: without them, pid namespace, resource limits and supervisor do the same except for a memory limit without
//! delay, exact processor time, and pauses that nothing escapes; the supervisor samples processor time then, and pauses by
//! signals. Moving a process to a group waits for all processors, 7 to 10 ms in the median; a bot's init is therefore
//! created in its group (`clone3`), which takes well below 1 ms with making and removing the group, and is moved only
//! where that is impossible.
//!
//! # Why a writable folder is not a file system of its own
//!
//! A tmpfs of a fixed size would fence disk space instead of watching it. But the folder lasts for a run and a mount
//! namespace for a process, so that another process would have to hold the namespace for every bot; a bot's files, up to
//! 1 GiB, would take memory instead of disk; and what it writes would count for its memory limit where it has a control
//! group, and for nothing where it has none. A quota of the file system takes root and is hardly ever switched on.
//!
//! # Other systems
//!
//! The sandbox needs Linux. On other Unix systems children run without one, and only if the host asks for that (`other_unix`).

#[cfg(unix)]
pub(crate) mod bot_user;
#[cfg(unix)]
pub(crate) mod control_group;
#[cfg(unix)]
pub(crate) mod control_groups;
pub(crate) mod guarantee;
#[cfg(unix)]
pub(crate) mod limits;
#[cfg(target_os = "linux")]
mod linux;
pub(crate) mod mechanism;
pub(crate) mod mode;
#[cfg(all(unix, not(target_os = "linux")))]
mod other_unix;
#[cfg(unix)]
pub(crate) mod sandbox;
#[cfg(unix)]
pub(crate) mod system_files;

#[cfg(target_os = "linux")]
pub(crate) use linux::{init, prepare, refused_calls, watcher};
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) use other_unix::{init, prepare, refused_calls, watcher};
