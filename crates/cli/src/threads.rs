//! How many threads a command uses.

use std::num::NonZero;
use std::thread;

/// As many threads as `--jobs` says, or one for each core.
pub(crate) fn threads(jobs: Option<u16>) -> NonZero<usize> {
    let named = jobs.map(usize::from).and_then(NonZero::new);
    named.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
}
