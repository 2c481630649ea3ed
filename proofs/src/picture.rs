//! `cargo xtask picture`: the terminal pictures of the README, made from the real program.

use std::error::Error;
use std::process::Command;

use xtask::{root, run};

/// What is shown: file name and arguments.
const PICTURES: [(&str, &[&str]); 1] = [("run.svg", &["run", "--seed", "spring"])];

/// Makes all pictures anew.
pub(crate) fn picture() -> Result<(), Box<dyn Error>> {
    run(Command::new(env!("CARGO")).args(["build", "--release", "--package", "dicehill"]))?;
    for (file, arguments) in PICTURES {
        let mut command = Command::new(root().join("target/release/dicehill"));
        let output = command.args(arguments).env("CLICOLOR_FORCE", "1").output()?;
        if !output.status.success() {
            return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let shown =
            format!("$ dicehill {}\n{}", arguments.join(" "), String::from_utf8(output.stdout)?);
        let picture = anstyle_svg::Term::new().render_svg(shown.trim_end());
        std::fs::write(root().join("docs").join(file), picture)?;
    }
    Ok(())
}
