//! Prepares a bot to be started: finds its program, hashes and builds its files.

pub(crate) mod build;
mod build_output;
pub(crate) mod cache;
mod cargo_home;
pub(crate) mod command_bot;
pub(crate) mod error;
pub(crate) mod identity;
pub(crate) mod outside_paths;
pub(crate) mod prepared_bot;
pub(crate) mod readable_paths;
pub(crate) mod settings;
pub(crate) mod source;
pub(crate) mod virtual_environment;
