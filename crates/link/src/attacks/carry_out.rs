//! Carries out an attack, in the attacking process.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::ExitCode;

use super::attack::ATTACK_ARGUMENT;
use super::table::ATTACKS;
use super::target::AttackTarget;

/// Carries out an attack: `arguments` are its name and its target. Prints the outcome in one line, and stays
/// until its input is closed.
pub(crate) fn run_attack(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let name = arguments.next().unwrap_or_default();
    let found = ATTACKS.iter().find(|attack| name == attack.name);
    let (Some(attack), Some(target)) = (found, AttackTarget::read(arguments)) else {
        eprintln!("dicehill {ATTACK_ARGUMENT} is started by dicehill doctor");
        return ExitCode::from(2);
    };
    let outcome = (attack.carry_out)(&target);
    let mut out = std::io::stdout().lock();
    // The doctor may have closed the pipe.
    let _best_effort = writeln!(out, "{outcome}").and_then(|()| out.flush());
    let _ended = std::io::stdin().read_to_end(&mut Vec::new());
    ExitCode::SUCCESS
}
