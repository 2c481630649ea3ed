//! The cores of this machine, and CPU time.

use rustix::time::{ClockId, clock_gettime};

/// Threads that play where nothing is timed.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What comes of it, and the CPU seconds that this process takes.
pub(super) fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
    };
    let begun = now();
    let result = work();
    (result, now() - begun)
}
