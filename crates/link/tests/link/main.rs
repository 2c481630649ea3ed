//! External bots in runs of the arena.

#![cfg(target_os = "linux")]

mod answers;
mod support;
