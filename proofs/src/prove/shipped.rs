//! Programs with the release profile, on which all figures are measured.

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;

use xtask::{SHIPPED, SHIPPED_FEATURES, target_folder};

/// Builds the program that these cargo arguments name.
pub(super) fn build(words: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut cargo = Command::new(env!("CARGO"));
    xtask::run(cargo.args(["build", "--quiet", "--profile", SHIPPED]).args(words))
}

/// Builds the `dicehill` command with the features that are shipped.
pub(super) fn build_dicehill() -> Result<(), Box<dyn Error>> {
    build(&["--package", "dicehill", "--features", SHIPPED_FEATURES])
}

/// The path of a program after it was built.
pub(super) fn path(program: &str) -> PathBuf {
    target_folder().join(SHIPPED).join(program)
}
