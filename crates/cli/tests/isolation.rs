//! The most important attacks, with and without isolation: a quick check of what [`crate::attacks`] tests in full.

#![cfg(target_os = "linux")]

use crate::attacks::check;
use crate::attacks::table::{Language, Run, SELECTION, with_memory, yahtzee};
use crate::support::user::{Isolation, User};

/// The memory limit is high, so that the bombs are stopped by the limits on processes and threads.
const RUNS: &[Run] = &[(Language::C, with_memory(8192, yahtzee("set")), SELECTION)];

#[test]
fn the_most_important_attacks_fail() {
    check(Isolation::On, User::Current, RUNS);
}

#[test]
fn the_most_important_attacks_succeed_without_isolation() {
    check(Isolation::Off, User::Current, RUNS);
}
