//! Programs in Python that print figures, run with the published wheel.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use xtask::package::wheel;
use xtask::{root, run};

use crate::figures::Figure;

/// A new Python environment with the published wheel.
pub(super) struct WheelEnvironment {
    /// The wheel.
    pub(super) wheel: PathBuf,
    folder: PathBuf,
}

/// A figure as those programs print it.
#[derive(Deserialize)]
struct Printed {
    name: String,
    value: String,
    interval: String,
    aim: String,
    met: bool,
}

impl WheelEnvironment {
    /// Builds the wheel, and installs it with these extras and packages. The environment is in `target/NAME`.
    pub(super) fn new(name: &str, extras: &str, packages: &[&str]) -> Result<Self, Box<dyn Error>> {
        let folder = root().join("target").join(name);
        fs::create_dir_all(&folder)?;
        let wheel = wheel(&folder.join("package"))?;
        let requirement = format!("{}[{extras}]", wheel.display());
        let created = Self { wheel, folder: folder.join("environment") };
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&created.folder))?;
        let mut pip = Command::new(created.python());
        run(pip.args(["-m", "pip", "install", "--quiet", &requirement]).args(packages))?;
        Ok(created)
    }

    fn python(&self) -> PathBuf {
        self.folder.join("bin/python")
    }

    /// A program of the project, given by its path, to be run with this environment's commands, as after its activation.
    pub(super) fn program(&self, path: &str) -> Result<Command, Box<dyn Error>> {
        let mut program = Command::new(self.python());
        program.arg(root().join(path)).env("PATH", search_path(&self.folder)?);
        Ok(program)
    }
}

/// The figures that a program prints.
pub(super) fn printed(program: &mut Command) -> Result<Vec<Figure>, Box<dyn Error>> {
    let output = program.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{program:?}: {}", output.status).into());
    }
    let printed: Vec<Printed> = serde_json::from_slice(&output.stdout)?;
    let figure =
        |Printed { name, value, interval, aim, met }| Figure { name, value, interval, aim, met };
    Ok(printed.into_iter().map(figure).collect())
}

/// The search path with the environment's commands first.
fn search_path(environment: &Path) -> Result<OsString, Box<dyn Error>> {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let folders = [environment.join("bin")].into_iter().chain(std::env::split_paths(&rest));
    Ok(std::env::join_paths(folders)?)
}
