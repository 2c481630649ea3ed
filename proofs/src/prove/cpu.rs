//! The cores of this machine, and CPU time.

use rustix::time::{ClockId, clock_gettime};

/// Threads for runs that are not timed.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work`; returns its result and the CPU seconds of this process meanwhile.
pub(super) fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
    };
    let start = now();
    let result = work();
    (result, now() - start)
}
