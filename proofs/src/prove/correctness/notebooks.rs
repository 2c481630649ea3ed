//! The notebooks in docs/notebooks, executed with their long budget, and the training of examples/ppo, both with the published
//! wheel.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use xtask::package::wheel;
use xtask::{root, run};

use crate::figures::Figure;

/// What executes notebooks.
const PACKAGES: [&str; 2] = ["nbclient>=0.10", "ipykernel>=6"];

/// The programs in crates/python/tests that print figures.
const PROGRAMS: [&str; 2] = ["notebooks.py", "ppo.py"];

/// A figure as those programs print it.
#[derive(Deserialize)]
struct Printed {
    name: String,
    value: String,
    interval: String,
    aim: String,
    met: bool,
}

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let folder = root().join("target/notebooks");
    fs::create_dir_all(&folder)?;
    let python = environment(&folder, &wheel(&folder.join("package"))?)?;
    let mut found = Vec::new();
    for program in PROGRAMS {
        found.extend(printed(&python, program, &folder)?);
    }
    Ok(found)
}

/// The figures that a program prints.
fn printed(python: &Path, program: &str, folder: &Path) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut script = Command::new(python);
    script.arg(root().join("crates/python/tests").join(program));
    script.env("DICEHILL_NOTEBOOK_BUDGET", "long").env("PATH", path(folder)?);
    let output = script.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{script:?}: {}", output.status).into());
    }
    let printed: Vec<Printed> = serde_json::from_slice(&output.stdout)?;
    let figure =
        |Printed { name, value, interval, aim, met }| Figure { name, value, interval, aim, met };
    Ok(printed.into_iter().map(figure).collect())
}

/// The Python of a new environment with this wheel.
fn environment(folder: &Path, wheel: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let environment = folder.join("environment");
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
    let python = environment.join("bin/python");
    let package = format!("{}[environments,data]", wheel.display());
    let mut pip = Command::new(&python);
    run(pip.args(["-m", "pip", "install", "--quiet", &package]).args(PACKAGES))?;
    Ok(python)
}

/// The search path with the environment's commands first, as after its activation.
fn path(folder: &Path) -> Result<std::ffi::OsString, Box<dyn Error>> {
    let commands = folder.join("environment/bin");
    let rest = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths([commands].into_iter().chain(std::env::split_paths(&rest)))?)
}
