//! A thousand random single alterations of stored runs, and as many of logs.

use std::process::Command;

use xtask::run;

use crate::figures::Figure;

/// Alterations of each kind.
const ALTERATIONS: u64 = 1000;

pub(crate) fn figures() -> Vec<Figure> {
    ["store", "log"].map(figure).into()
}

/// Runs the test of the command that draws the alterations; `verify` has to find and locate each.
fn figure(what: &str) -> Figure {
    let test = format!("verify::alterations::no_alteration_of_a_{what}_goes_unseen");
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--package", "dicehill", "--test", "command", "--", "--exact", &test]);
    command.env("DICEHILL_ALTERATIONS", ALTERATIONS.to_string());
    let passed = run(&mut command).is_ok();
    Figure {
        name: format!(
            "random single alterations of a {what} that `verify` finds, of {ALTERATIONS}"
        ),
        value: if passed { ALTERATIONS.to_string() } else { "fewer".to_owned() },
        interval: "exact".to_owned(),
        aim: ALTERATIONS.to_string(),
        met: passed,
    }
}
