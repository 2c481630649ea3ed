//! `cargo xtask picture`: regenerates the command's output in README.md and docs/.

use std::error::Error;
use std::process::Command;

use xtask::run;

/// Runs the tests that check the output with the flag that makes them write it, so that both use the same code.
pub(crate) fn picture() -> Result<(), Box<dyn Error>> {
    let tests = ["test", "--locked", "--package", "dicehill", "--test", "command", "shown::"];
    run(Command::new(env!("CARGO")).args(tests).env("DICEHILL_REGENERATE", "1"))
}
