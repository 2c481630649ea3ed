//! The mechanisms of Linux that make the sandbox.

mod call_names;
mod call_tree;
pub(crate) mod init;
mod landlock_rules;
mod namespaces;
pub(crate) mod prepare;
mod privileges;
pub(crate) mod refused_calls;
mod rlimits;
mod root_folder;
mod seccomp_filter;
mod steps;
mod system_calls;
pub(crate) mod watcher;
