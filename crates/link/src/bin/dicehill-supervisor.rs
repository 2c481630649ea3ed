//! Runs helper processes for programs that cannot run them themselves, such as tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    dicehill_link::run_helper_process().unwrap_or_else(|| {
        eprintln!("dicehill-supervisor is started by programs that run external bots");
        ExitCode::from(2)
    })
}
