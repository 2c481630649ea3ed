//! Ctrl-C: the first requests an orderly end, the second ends the process at once. So do two requests to terminate.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::Console;
use crate::failure::Failure;
use crate::system::STOP_SIGNALS;

/// The flag of the process's console, once signals set it.
static OF_PROCESS: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Whether a signal has asked this process to stop. It is true from then on.
#[must_use]
pub fn is_interrupted() -> bool {
    OF_PROCESS.get().is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// The console's flag, from now on set by [`STOP_SIGNALS`], unless the process was started with the signal ignored,
/// as by `nohup`. A console that is not that of the process takes no signals.
///
/// A second SIGINT or SIGTERM ends the process at once. Different signals in a row do not: when a terminal is closed or a
/// machine shuts down, several arrive, and the run has to store its last games.
pub(crate) fn stop_flag(console: &Console) -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::clone(console.stop());
    if !console.is_of_this_process() || OF_PROCESS.set(Arc::clone(&stop)).is_err() {
        return Ok(stop);
    }
    for signal in STOP_SIGNALS.into_iter().filter(|signal| !is_ignored(*signal)) {
        if [SIGINT, SIGTERM].contains(&signal) {
            let was_sent = Arc::new(AtomicBool::new(false));
            // The order matters: the action registered first sees the flag as the previous signal left it.
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&was_sent))?;
            flag::register(signal, was_sent)?;
        }
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// Whether the process was started with the signal ignored. Only Linux has this information.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
