//! Whether this machine can isolate bots, according to the program itself.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use super::{CommandOutput, Scratch};

/// A hill with a bot that is to be isolated and does not play.
const HILL: &str = "game = \"yahtzee\"\ngames = 1\n[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n\
                    [[bot]]\nname = \"B\"\ncommand = [\"true\"]\n";
/// The exit code of a run in which a bot was barred, and therefore started.
const BARRED: i32 = 3;

/// What isolation lacks, as this command reports it when it works in this folder.
pub(crate) fn missing_for(command: &mut Command, folder: &Path) -> Vec<String> {
    fs::write(folder.join("hill.toml"), HILL).expect("the folder can be written");
    command.args(["run", "hill.toml", "--require-isolation", "--no-luck"]);
    command.current_dir(folder).stdin(Stdio::null()).env("TMPDIR", folder).env("HOME", folder);
    let output = CommandOutput::from(command.output().expect("the command starts"));
    (output.code != BARRED).then_some(output.err).into_iter().collect()
}

/// Whether the current user can have bots isolated; prints what is missing. It is tried once.
pub(crate) fn can_isolate() -> bool {
    static MISSING: OnceLock<Vec<String>> = OnceLock::new();
    let missing = MISSING.get_or_init(|| {
        let scratch = Scratch::new();
        missing_for(&mut Command::new(env!("CARGO_BIN_EXE_dicehill")), &scratch.path(""))
    });
    is_complete("us", missing)
}

/// Prints what is missing; returns whether nothing is.
pub(crate) fn is_complete(user: &str, missing: &[String]) -> bool {
    if !missing.is_empty() {
        eprintln!("not run: for {user} this machine lacks\n  {}", missing.join("\n  "));
    }
    missing.is_empty()
}

/// The needed mechanisms that are missing, with reasons and remedies, from the doctor's document.
pub(crate) fn missing_mechanisms(document: &Value) -> Vec<String> {
    let mechanisms = document["mechanisms"].as_array().expect("mechanisms");
    let missing = mechanisms.iter().filter(|one| one["present"] != true && one["needed"] == true);
    missing.map(|one| format!("{}: {} ({})", one["name"], one["detail"], one["remedy"])).collect()
}
