//! How many threads a command uses.

use std::num::NonZero;
use std::thread;

/// A thread for each core.
pub(crate) fn threads() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}
