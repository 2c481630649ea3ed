//! What a machine can do to isolate bots, as the program itself finds it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use super::{Ran, Scratch};

/// A hill with a bot that is to be isolated, and plays nothing.
const HILL: &str = "game = \"yahtzee\"\ngames = 1\n[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n\
                    [[bot]]\nname = \"B\"\ncommand = [\"true\"]\n";
/// The exit code of a run in which a bot was barred, and that was therefore started.
const BARRED: i32 = 3;

/// What is absent of that which isolation needs, as this command reports it, which works in this folder.
pub(crate) fn missing_for(command: &mut Command, folder: &Path) -> Vec<String> {
    fs::write(folder.join("hill.toml"), HILL).expect("the folder can be written");
    command.args(["run", "hill.toml", "--require-isolation", "--no-luck"]);
    command.current_dir(folder).stdin(Stdio::null()).env("TMPDIR", folder).env("HOME", folder);
    let ran = Ran::from(command.output().expect("the command starts"));
    (ran.code != BARRED).then_some(ran.err).into_iter().collect()
}

/// Whether whoever runs the tests can have bots isolated; says what is missing. It is tried once.
pub(crate) fn can_isolate() -> bool {
    static MISSING: OnceLock<Vec<String>> = OnceLock::new();
    let missing = MISSING.get_or_init(|| {
        let scratch = Scratch::new();
        missing_for(&mut Command::new(env!("CARGO_BIN_EXE_dicehill")), &scratch.path(""))
    });
    is_complete("us", missing)
}

/// Says what is absent, and whether nothing is.
pub(crate) fn is_complete(whom: &str, missing: &[String]) -> bool {
    if !missing.is_empty() {
        eprintln!("not run: for {whom} this machine lacks\n  {}", missing.join("\n  "));
    }
    missing.is_empty()
}

/// What is missing of that which isolation needs, and why, from the doctor's document.
pub(crate) fn missing_mechanisms(document: &Value) -> Vec<String> {
    let mechanisms = document["mechanisms"].as_array().expect("mechanisms");
    let missing = mechanisms.iter().filter(|one| one["present"] != true && one["needed"] == true);
    missing.map(|one| format!("{}: {} ({})", one["name"], one["detail"], one["remedy"])).collect()
}
