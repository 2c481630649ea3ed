//! Keeps the children of a program that cannot be started again for it, such as a test's.

use std::process::ExitCode;

fn main() -> ExitCode {
    dicehill_link::work_behind_the_scenes().unwrap_or_else(|| {
        eprintln!("dicehill-keeper is started by programs that have bots outside");
        ExitCode::from(2)
    })
}
