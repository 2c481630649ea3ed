//! Bots outside, as the arena has to do with them.

#![cfg(target_os = "linux")]

mod answers;
mod support;
