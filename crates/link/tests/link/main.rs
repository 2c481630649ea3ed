//! External bots in runs of the arena, and attacks on their limits.

#![cfg(target_os = "linux")]

mod abandoned;
mod answers;
mod fuzz;
mod java;
mod limits;
mod support;
