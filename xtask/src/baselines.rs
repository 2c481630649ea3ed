//! `cargo xtask baselines`: regenerates the table in docs/benchmarks.md.

use std::error::Error;
use std::process::Command;

use xtask::run;

/// Runs the test that checks the table with the flag that makes it write it, so that both use the same code.
pub(crate) fn baselines() -> Result<(), Box<dyn Error>> {
    let name = "bench::the_table_of_baselines_is_what_the_command_prints";
    let tests = ["test", "--locked", "--package", "dicehill", "--test", "command", name];
    run(Command::new(env!("CARGO")).args(tests).env("DICEHILL_REGENERATE", "1"))
}
