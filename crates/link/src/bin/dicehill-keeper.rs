//! Runs helper processes for programs that cannot run them themselves, such as tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    dicehill_link::work_behind_the_scenes().unwrap_or_else(|| {
        eprintln!("dicehill-keeper is started by programs that have bots outside");
        ExitCode::from(2)
    })
}
