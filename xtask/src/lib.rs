//! The `cargo xtask` commands, and what the proofs share with them.

pub mod docs;
pub mod package;
pub mod test;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release profile, on which figures are measured.
pub const SHIPPED: &str = "dist";
/// The features of the command that is shipped, besides its default ones.
pub const SHIPPED_FEATURES: &str = "dicehill/workers";

/// Runs a command in the project's folder.
///
/// # Errors
/// If it cannot be started or fails.
pub fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.current_dir(root()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project's folder")
}

/// The folder of what cargo builds.
pub fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
