//! A million random games of each kind under every law of the game interface.

use std::error::Error;
use std::process::Command;

use xtask::run;

use crate::figures::Figure;

/// Random action sequences for each game.
const SEQUENCES: u64 = 1_000_000;

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO"));
    // Not a release build, so that overflow and debug assertions are checked too.
    command.args(["test", "--package", "dicehill-rules", "--test", "laws"]);
    command.env("DICEHILL_LAW_SEQUENCES", SEQUENCES.to_string());
    let passed = run(&mut command).is_ok();
    Ok(vec![Figure {
        name: "random action sequences of each game and variant without a breach of a law"
            .to_owned(),
        value: if passed { SEQUENCES.to_string() } else { "breached".to_owned() },
        interval: "exact".to_owned(),
        aim: SEQUENCES.to_string(),
        met: passed,
    }])
}
