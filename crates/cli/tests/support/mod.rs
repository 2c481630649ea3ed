//! Helpers of the command's tests.

#[cfg(target_os = "linux")]
pub(crate) mod bad_network;
pub(crate) mod external;
#[cfg(target_os = "linux")]
mod in_process;
#[cfg(target_os = "linux")]
pub(crate) mod machine;
pub(crate) mod pages;
#[cfg(unix)]
pub(crate) mod running;
mod scratch;
pub(crate) mod store;
#[cfg(unix)]
pub(crate) mod terminal;
#[cfg(target_os = "linux")]
pub(crate) mod user;

use std::path::{Path, PathBuf};

use serde_json::Value;

pub(crate) use scratch::{CommandOutput, Scratch, parse_json};

/// Generous time limits for tests that are not about time, so that they pass on a busy machine.
pub(crate) const PATIENT: &str = "[limits]\nstart_ms = 60000\nmove_ms = 10000";

/// A hill file with these keys, the limits of [`PATIENT`] unless the keys have limits, and bots A, B, C, ... that play
/// with these house bots.
pub(crate) fn hill(keys: &str, house: &[&str]) -> String {
    let limits = if keys.contains("[limits]") { "" } else { PATIENT };
    hill_as_is(&format!("{keys}\n{limits}"), house)
}

/// A hill file with these keys and bots, with the default limits.
pub(crate) fn hill_as_is(keys: &str, house: &[&str]) -> String {
    let bot = |(letter, house): (char, &&str)| {
        format!("[[bot]]\nname = \"{letter}\"\nhouse = \"{house}\"\n")
    };
    format!("{keys}\n{}", ('A'..).zip(house).map(bot).collect::<String>())
}

/// A path in the project's folder.
pub(crate) fn project_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The value as a number, which it has to be.
#[track_caller]
pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("not a number: {value}"))
}

/// A Yahtzee bot in Python that always fills the box that is worth most.
pub(crate) const BEST_BOX_BOT: &str = "\
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        best = max(turn['legal'], key=turn['legal'].get)
        print(json.dumps({'id': turn['id'], 'category': best}), flush=True)
";

/// The text with one space between its words.
pub(crate) fn with_single_spaces(text: &str) -> String {
    let lines =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n");
    lines.collect()
}

/// The text with gaps of two spaces between its columns.
pub(crate) fn without_padding(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.collect::<Vec<_>>().join("  ") + "\n"
    });
    lines.collect()
}
