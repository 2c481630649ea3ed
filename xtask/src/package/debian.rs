//! The Debian package. What it contains is in `[package.metadata.deb]` of `crates/cli/Cargo.toml`.

use std::error::Error;
use std::path::Path;

use super::{StaticBuild, tools};
use crate::run;

/// Builds the package from the staged files, without building or stripping the program again.
pub(super) fn debian(build: &StaticBuild, out: &Path) -> Result<(), Box<dyn Error>> {
    let mut deb = tools::cargo_deb()?;
    deb.args(["--package", "dicehill", "--no-build", "--no-strip", "--locked"]);
    deb.args(["--target", &build.triple(), "--profile", &build.profile]);
    deb.arg("--output").arg(out.join(""));
    deb.env("CARGO_TARGET_DIR", &build.target_folder).envs(tools::fixed_time());
    run(&mut deb)
}
