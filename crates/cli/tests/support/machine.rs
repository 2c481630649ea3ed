//! What a machine can do to isolate bots, as the program itself finds it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use super::{Ran, Scratch};

/// What is absent of that which isolation needs, and why, from the doctor's document.
pub(crate) fn absent(document: &Value) -> Vec<String> {
    let mechanisms = document["mechanisms"].as_array().expect("mechanisms");
    let absent = mechanisms.iter().filter(|one| one["present"] != true && one["needed"] == true);
    absent.map(|one| format!("{}: {} ({})", one["name"], one["detail"], one["remedy"])).collect()
}

/// The same from a doctor that this command starts, and that works in this folder.
pub(crate) fn absent_for(doctor: &mut Command, folder: &Path) -> Vec<String> {
    doctor.args(["doctor", "--format", "json"]).current_dir(folder).stdin(Stdio::null());
    doctor.env("TMPDIR", folder).env("HOME", folder);
    let ran = Ran::from(doctor.output().expect("the command starts"));
    absent(&serde_json::from_str(&ran.out).expect("it prints JSON"))
}

/// Whether whoever runs the tests can have bots isolated; says what is absent.
pub(crate) fn can_isolate() -> bool {
    static ABSENT: OnceLock<Vec<String>> = OnceLock::new();
    let absent = ABSENT.get_or_init(|| {
        let scratch = Scratch::new();
        let mut doctor = Command::new(env!("CARGO_BIN_EXE_dicehill"));
        absent_for(&mut doctor, &scratch.path(""))
    });
    is_told("us", absent)
}

/// Says what is absent, and whether nothing is.
pub(crate) fn is_told(whom: &str, absent: &[String]) -> bool {
    if !absent.is_empty() {
        eprintln!("not run: for {whom} this machine lacks\n  {}", absent.join("\n  "));
    }
    absent.is_empty()
}
