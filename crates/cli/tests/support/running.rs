//! Commands that run in parallel with the test, signals, and waiting.

use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The longest that any test waits for something, on a machine that may be busy with other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// A running command that is killed at the end of its test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Normally it has ended already.
        let _ended = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// Sends a signal, such as `-INT`, to a child process.
#[track_caller]
pub(crate) fn send(signal: &str, child: &Child) {
    let signal = match signal {
        "-CONT" => Signal::CONT,
        "-HUP" => Signal::HUP,
        "-INT" => Signal::INT,
        "-KILL" => Signal::KILL,
        "-STOP" => Signal::STOP,
        "-TERM" => Signal::TERM,
        other => panic!("{other} is no signal of these tests"),
    };
    // The command `kill` would start late on a busy machine.
    kill_process(Pid::from_child(child), signal).expect("it is ours");
}

/// Waits until `find` returns a value; `what` names it in the panic message after [`PATIENCE`].
#[track_caller]
pub(crate) fn wait_for<T>(what: &str, find: impl FnMut() -> Option<T>) -> T {
    poll(what, Duration::from_millis(20), find)
}

/// Like [`wait_for`], with this pause between the calls of `find`, for values that exist only briefly.
#[track_caller]
pub(crate) fn poll<T>(what: &str, pause: Duration, mut find: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        std::thread::sleep(pause);
    }
}

/// Whether the tests were started with this signal ignored, as by `nohup` or in the background of a script: what they start then
/// ignores it too, as it should.
pub(crate) fn is_ignored(signal: &str) -> bool {
    let number = match signal {
        "-HUP" => 1,
        "-INT" => 2,
        "-TERM" => 15,
        _ => panic!("{signal} is not one of these"),
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}
