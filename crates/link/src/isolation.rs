//! The isolation of child processes.
//!
//! A sandboxed child sees the system's runtimes, the paths that it may read, and its own folder; it sees no other
//! process, has no network, and cannot measure the load of the machine. Two processes set this up. The supervisor
//! creates a control group if the arena may have one ([`control_groups`], [`control_group`]) and enters namespaces
//! ([`namespaces`]). The init, the first process in those namespaces ([`mod@init`]), mounts a new root folder
//! ([`root_folder`]), drops privileges, and applies resource limits ([`rlimits`]), Landlock ([`landlock_rules`]) and
//! seccomp ([`seccomp_filter`]) before it starts the child.
//!
//! Each of these is a step that may be impossible on a machine. A probe tries them all once
//! (`crate::child::probe`). A step that failed then is skipped later and reported as a missing mechanism; a step that
//! worked then and fails later prevents the child from being started.

pub(crate) mod bot_user;
pub(crate) mod control_group;
pub(crate) mod control_groups;
pub(crate) mod guarantee;
pub(crate) mod init;
mod landlock_rules;
pub(crate) mod limits;
pub(crate) mod mechanism;
mod namespaces;
pub(crate) mod prepare;
mod rlimits;
mod root_folder;
pub(crate) mod sandbox;
mod seccomp_filter;
mod steps;
mod system_files;
