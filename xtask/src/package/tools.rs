//! Tools that make packages, installed into the target folder if they are missing: in one version each, for packages that can be
//! reproduced.

use std::error::Error;
use std::process::{Command, Stdio};

use crate::{root, run, target_folder};

/// 1980-01-01, the earliest time in a zip archive.
const EARLIEST: &str = "315532800";

/// The time of all files in packages, so that equal files make equal packages: `SOURCE_DATE_EPOCH` if it is set, else
/// that of the commit.
pub(super) fn fixed_time() -> [(&'static str, String); 1] {
    let commit = || {
        let mut git = Command::new("git");
        git.args(["log", "-1", "--format=%ct"]).current_dir(root()).stderr(Stdio::null());
        let output = git.output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()).filter(|t| !t.is_empty())
    };
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    [("SOURCE_DATE_EPOCH", given.or_else(commit).unwrap_or_else(|| EARLIEST.to_owned()))]
}

/// Whether a program is installed that prints its version.
pub(super) fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// cargo-deb.
pub(super) fn cargo_deb() -> Result<Command, Box<dyn Error>> {
    if is_installed("cargo-deb") {
        return Ok(Command::new("cargo-deb"));
    }
    let folder = target_folder().join("cargo-deb");
    let installed = folder.join("bin/cargo-deb");
    if !installed.exists() {
        eprintln!("cargo-deb is missing: installing it into {}", folder.display());
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["install", "--locked", "cargo-deb@3.8.0", "--root"]).arg(&folder);
        // Where it is built does not matter, but the project's target folder may be that of another profile.
        run(cargo.env_remove("CARGO_TARGET_DIR"))?;
    }
    Ok(Command::new(installed))
}

/// maturin, with Zig as a linker for old C libraries.
pub(super) fn maturin() -> Result<Command, Box<dyn Error>> {
    let environment = target_folder().join("maturin");
    let installed = environment.join("bin/maturin");
    if !installed.exists() {
        eprintln!("installing maturin and Zig into {}", environment.display());
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        let mut pip = Command::new(environment.join("bin/pip"));
        run(pip.args(["install", "--quiet", "maturin==1.16.0", "ziglang==0.17.1"]))?;
    }
    let mut command = Command::new(installed);
    // maturin looks for the module `ziglang` in the Python that it finds first.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [environment.join("bin")].into_iter().chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(folders)?).env("VIRTUAL_ENV", &environment);
    Ok(command)
}
