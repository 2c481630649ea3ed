//! Invalid input of every kind: exit code 2, nothing on stdout, nothing written, and a message that names the file, the
//! line and the value.

mod bot_folders;
mod command_lines;
mod hill_files;
mod other_kinds;

use crate::support::{CommandOutput, Scratch, hill_as_is as hill};

/// The keys of a valid hill; a test adds keys to them, or to the file.
const KEYS: &str = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"";

/// Runs the command and expects it to refuse, with all of `parts` on stderr.
#[track_caller]
fn refused(scratch: &Scratch, arguments: &[&str], parts: &[&str]) {
    let CommandOutput { code, out, err } = scratch.run(arguments);
    assert_eq!(code, 2, "{arguments:?}: {err}");
    assert_eq!(out, "", "{arguments:?}");
    assert!(err.starts_with("error: "), "{arguments:?}: {err}");
    for part in parts {
        assert!(err.contains(part), "{arguments:?}: {part:?} is not in {err}");
    }
}

/// The hill of [`KEYS`] between two bots, with more keys after line 3.
fn with_keys(keys: &str) -> String {
    hill(&format!("{KEYS}\n{keys}"), &["dummy", "random"])
}
