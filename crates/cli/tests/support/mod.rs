//! What the tests of the command share.

#[cfg(target_os = "linux")]
pub(crate) mod holder;
#[cfg(target_os = "linux")]
mod in_process;
#[cfg(target_os = "linux")]
pub(crate) mod machine;
pub(crate) mod outside;
pub(crate) mod pages;
mod scratch;
#[cfg(unix)]
pub(crate) mod terminal;

pub(crate) use scratch::{Ran, Scratch};

/// Limits of time for tests that are not about time, so that they pass on a machine that is busy.
pub(crate) const PATIENT: &str = "[limits]\nstart_ms = 60000\nmove_ms = 10000";

/// A hill file: these keys, limits that are [`PATIENT`] unless there are some, and bots A, B, C, ... that play with
/// these house bots.
pub(crate) fn hill(keys: &str, house: &[&str]) -> String {
    let limits = if keys.contains("[limits]") { "" } else { PATIENT };
    hill_as_is(&format!("{keys}\n{limits}"), house)
}

/// A hill file of these keys and bots, with the usual limits.
pub(crate) fn hill_as_is(keys: &str, house: &[&str]) -> String {
    let bot = |(letter, house): (char, &&str)| {
        format!("[[bot]]\nname = \"{letter}\"\nhouse = \"{house}\"\n")
    };
    format!("{keys}\n{}", ('A'..).zip(house).map(bot).collect::<String>())
}
