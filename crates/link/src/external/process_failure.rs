//! What a process that was not started, or has ended, is charged with.

use std::io;

use dicehill_arena::{Failure, Reason};

use super::bot_runtime::BotRuntime;
use crate::java::player;
use crate::process::child_end::ChildEnd;
use crate::protocol::excerpt;

/// The status with which the Java bridge ends when the heap of the JVM is used up.
const JVM_OUT_OF_HEAP: i32 = 3;

/// The status with which it ends when the memory outside the heap is used up.
const JVM_OUT_OF_DIRECT_MEMORY: i32 = 4;

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

/// The failure of a process that closed its stdout after this many answers; `end` is `None` if it is still running.
pub(super) fn of_closed_stdout(
    end: Option<ChildEnd>,
    answers: u64,
    runtime: &BotRuntime,
) -> Failure {
    let crash = |why: String| Failure::new(Reason::Crash, why);
    match end {
        None => crash("it closed its stdout and kept running".to_owned()),
        Some(ChildEnd::NotStarted(why)) => not_runnable(&why, runtime),
        Some(ChildEnd::ArenaError(why)) => Failure::arena_error(format!("not started: {why}")),
        Some(ChildEnd::Exited(status @ (JVM_OUT_OF_HEAP | JVM_OUT_OF_DIRECT_MEMORY)))
            if runtime.is_java() =>
        {
            // It may take as much outside the heap.
            let heap_mb = player::heap_mb(runtime.limits());
            let place = if status == JVM_OUT_OF_HEAP { "on" } else { "outside" };
            let why =
                format!("its JVM ran out of memory: it may use {heap_mb} MiB {place} the heap");
            Failure::new(Reason::Memory, why)
        }
        Some(ChildEnd::Exited(0)) if answers == 0 && !runtime.is_java() => {
            let remedy = match runtime.is_python() {
                true => "does its last line start it, as dicehill.run(act) does?",
                false => "does it read requests until its stdin ends?",
            };
            crash(format!("it ended with status 0 without an answer: {remedy}"))
        }
        Some(ChildEnd::Exited(status))
            if answers == 0 && runtime.is_script_without_interpreter() =>
        {
            let program = runtime.program().to_string_lossy();
            crash(format!(
                "it ended with status {status}: {} has no #! line that names its interpreter, so that \
                 the shell ran it",
                excerpt(program.as_bytes())
            ))
        }
        Some(ChildEnd::Exited(status)) => crash(format!("it ended with status {status}")),
        Some(ChildEnd::Signalled(signal)) => crash(format!("it was killed by signal {signal}")),
        Some(ChildEnd::Memory) => {
            let memory_mb = runtime.limits().memory_mb;
            Failure::new(Reason::Memory, format!("it used more than {memory_mb} MiB"))
        }
        Some(ChildEnd::Mappings) => Failure::new(
            Reason::Memory,
            "its processes have too many memory mappings, or mapped files with too long paths",
        ),
        Some(ChildEnd::KernelMemory) => {
            let memory_mb = runtime.limits().memory_mb;
            let why = format!(
                "it used more than {memory_mb} MiB with what its sockets, pipes, open folders, open files of /proc and epoll instances can take"
            );
            Failure::new(Reason::Memory, why)
        }
        Some(ChildEnd::Files) => Failure::new(Reason::Flood, "it wrote too much to its folder"),
        Some(ChildEnd::HiddenFiles) => {
            let why = "it hides its open files and memory mappings, which must be counted (PR_SET_DUMPABLE, SCM_RIGHTS)";
            Failure::new(Reason::Flood, why)
        }
        Some(ChildEnd::Probed(_)) => crash("it was not run".to_owned()),
    }
}

fn not_runnable(why: &str, runtime: &BotRuntime) -> Failure {
    let program = runtime.program().to_string_lossy();
    let why = format!("{} cannot be run: {why}", excerpt(program.as_bytes()));
    // A player for a Java interface is run by a program that the arena chose.
    if runtime.is_java() { Failure::arena_error(why) } else { Failure::new(Reason::Crash, why) }
}
