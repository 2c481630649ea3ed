//! The helper processes: this program, started again for other work than its own.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
use crate::attacks;
use crate::isolation::init;
use crate::supervisor::{config, watch};

/// Does the work for which this program starts itself again, if it was started for that: beside children and
/// before them. A program that uses this crate calls it first of all.
pub fn work_behind_the_scenes() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next()?;
    if first == config::KEEPER {
        return Some(watch::keep(arguments));
    }
    if first == init::INIT {
        return Some(init::init(arguments));
    }
    #[cfg(target_os = "linux")]
    if first == attacks::ATTACK {
        return Some(attacks::attack(arguments));
    }
    None
}
