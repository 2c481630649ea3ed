//! `cargo xtask picture`: what README.md and docs/ show of the command's output, regenerated.

use std::error::Error;
use std::process::Command;

use xtask::run;

/// Runs the tests that compare it, which also write it: so both always agree on how it is made.
pub(crate) fn picture() -> Result<(), Box<dyn Error>> {
    let tests = ["test", "--locked", "--package", "dicehill", "--test", "command", "shown::"];
    run(Command::new(env!("CARGO")).args(tests).env("DICEHILL_REGENERATE", "1"))
}
