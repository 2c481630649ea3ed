//! How many threads a command uses.

use std::num::NonZero;
use std::thread;

/// A thread for each core.
pub(crate) fn threads() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// The name of this machine, to be shown to others.
#[cfg(feature = "workers")]
pub(crate) fn machine_name() -> String {
    crate::system::host_name().chars().take(64).collect()
}
