//! `cargo xtask test`: every test there is.

use std::error::Error;
use std::path::Path;
use std::process::Command;

/// Programs that tests need beside cargo, and how to install them.
const NEEDED: [(&str, &str); 1] =
    [("python3", "a Python 3, e.g. `apt-get install python3` or https://www.python.org")];

/// Runs all tests.
pub(crate) fn test() -> Result<(), Box<dyn Error>> {
    for (program, source) in NEEDED {
        if Command::new(program).arg("--version").output().is_err() {
            return Err(format!("the tests need {program}: {source}").into());
        }
    }
    run(Command::new(env!("CARGO")).args(["test", "--locked", "--workspace", "--all-targets"]))?;
    run(Command::new(env!("CARGO")).args(["test", "--locked", "--workspace", "--doc"]))?;
    run(Command::new("python3").arg("protocol/chance.py"))
}

/// Runs a command in the project's folder.
pub(crate) fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command.current_dir(root()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// The project's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project's folder")
}
