//! Prepares a bot to be started: finds its program, hashes and builds its files.

#[cfg(unix)]
pub(crate) mod build;
#[cfg(unix)]
mod build_output;
pub(crate) mod cache;
#[cfg(unix)]
mod cargo_home;
#[cfg(unix)]
pub(crate) mod command_bot;
pub(crate) mod error;
#[cfg(unix)]
pub(crate) mod identity;
#[cfg(unix)]
pub(crate) mod outside_paths;
#[cfg(unix)]
pub(crate) mod prepared_bot;
#[cfg(unix)]
pub(crate) mod readable_paths;
pub(crate) mod settings;
pub(crate) mod source;
#[cfg(unix)]
pub(crate) mod virtual_environment;
