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

/// A hill file: these keys, and bots A, B, C, ... that play with these house bots.
pub(crate) fn hill(keys: &str, house: &[&str]) -> String {
    let bot = |(letter, house): (char, &&str)| {
        format!("[[bot]]\nname = \"{letter}\"\nhouse = \"{house}\"\n")
    };
    format!("{keys}\n{}", ('A'..).zip(house).map(bot).collect::<String>())
}
