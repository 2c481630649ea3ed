//! `cargo xtask audit`: checks of the dependencies.

use std::error::Error;
use std::process::Command;

use xtask::run;

/// Checks bans, licences and sources, and advisories if the network allows.
pub(crate) fn audit() -> Result<(), Box<dyn Error>> {
    if Command::new(env!("CARGO"))
        .args(["deny", "--version"])
        .output()
        .is_ok_and(|o| !o.status.success())
    {
        eprintln!("cargo-deny is missing: installing it, which takes some minutes");
        run(Command::new(env!("CARGO")).args(["install", "--locked", "cargo-deny"]))?;
    }
    run(Command::new(env!("CARGO")).args(["deny", "check", "bans", "licenses", "sources"]))?;
    if run(Command::new(env!("CARGO")).args(["deny", "fetch", "db"])).is_err() {
        eprintln!("the advisory database is out of reach: advisories are NOT checked");
        return Ok(());
    }
    run(Command::new(env!("CARGO")).args(["deny", "check", "advisories"]))
}
