//! The helper processes: this program, started again for other work than its own.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
use crate::attacks;
use crate::supervisor::{config, watch};

/// Runs this process as a helper, if it was started as one, and returns its exit code: the supervisor of a
/// child, or an attack. A program that uses this crate calls it first in `main`.
pub fn run_helper_process() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next()?;
    if first == config::SUPERVISOR_ARGUMENT {
        return Some(watch::supervise(arguments));
    }
    #[cfg(target_os = "linux")]
    if first == attacks::ATTACK_ARGUMENT {
        return Some(attacks::run_attack(arguments));
    }
    None
}
