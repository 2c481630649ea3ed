//! What a process that was not started, or has ended, is charged with.

use std::io;

use dicehill_arena::{Failure, Reason};

use super::bot_runtime::BotRuntime;
use crate::process::child_end::ChildEnd;
use crate::protocol::excerpt;

/// The failure of a process that could not be started.
pub(super) fn of_spawn_error(error: &io::Error) -> Failure {
    // The operating system refuses the arguments of the command.
    let of_command = [io::ErrorKind::ArgumentListTooLong, io::ErrorKind::InvalidInput];
    if of_command.contains(&error.kind()) {
        Failure::new(Reason::Crash, format!("not started: {error}"))
    } else {
        Failure::arena_error(error)
    }
}

/// The failure of a process that closed its stdout; `end` is `None` if it is still running.
pub(super) fn of_closed_stdout(end: Option<ChildEnd>, runtime: &BotRuntime) -> Failure {
    let crash = |why: String| Failure::new(Reason::Crash, why);
    match end {
        None => crash("it closed its stdout and went on".to_owned()),
        Some(ChildEnd::NotStarted(why)) => not_runnable(&why, runtime),
        Some(ChildEnd::ArenaError(why)) => Failure::arena_error(format!("not started: {why}")),
        Some(ChildEnd::Exited(status)) => crash(format!("it ended with status {status}")),
        Some(ChildEnd::Signalled(signal)) => crash(format!("signal {signal} ended it")),
        Some(ChildEnd::Memory) => {
            let memory_mb = runtime.limits().memory_mb;
            Failure::new(Reason::Memory, format!("it used more than {memory_mb} MiB"))
        }
        Some(ChildEnd::Files) => Failure::new(Reason::Flood, "it wrote too much to its folder"),
        Some(ChildEnd::Probed(_)) => crash("it was not run".to_owned()),
    }
}

fn not_runnable(why: &str, runtime: &BotRuntime) -> Failure {
    let program = runtime.command()[0].to_string_lossy();
    let why = format!("{} cannot be run: {why}", excerpt(program.as_bytes()));
    // A player for a Java interface is run by a program that the arena chose.
    if runtime.is_java() { Failure::arena_error(why) } else { Failure::new(Reason::Crash, why) }
}
