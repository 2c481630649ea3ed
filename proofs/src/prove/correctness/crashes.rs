//! Crashes at every call that changes a file of a log or of a store.

use std::error::Error;
use std::process::Command;

use xtask::root;

use crate::figures::Figure;

/// The tests, each with the kind of its crashes.
const KINDS: [(&str, &str); 2] =
    [("power_failure", "power failures"), ("failing_call", "failing calls and kills")];

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    KINDS.into_iter().map(|(test, kind)| figure(test, kind)).collect()
}

/// Runs the tests of the store that crash: what was stored has to be there afterwards, and nothing else.
fn figure(test: &str, kind: &str) -> Result<Figure, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--locked", "--package", "dicehill-store", "--test", "store", "--"]);
    command.args(["--nocapture", &format!("::{test}")]).current_dir(root());
    let output = command.env("DICEHILL_CRASHES", "all").output()?;
    let text = String::from_utf8(output.stdout)?;
    let counts = text.lines().filter_map(|line| line.split_once("crashes: "));
    let counts =
        counts.map(|(_, count)| count.trim().parse::<u64>()).collect::<Result<Vec<_>, _>>()?;
    let passed = output.status.success();
    if !passed {
        eprintln!("{text}{}", String::from_utf8_lossy(&output.stderr));
    }
    let count: u64 = counts.iter().sum();
    Ok(Figure {
        name: format!("{kind} at every call that changes a file, in {} scenarios", counts.len()),
        value: count.to_string(),
        interval: "exact".to_owned(),
        aim: "nothing that was stored is lost".to_owned(),
        met: passed && counts.len() == 6,
    })
}
