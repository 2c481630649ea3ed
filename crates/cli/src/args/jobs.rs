//! How many threads a command uses.

use std::num::NonZero;

use crate::threads::threads;

/// How many threads a command uses.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct JobsArgs {
    /// The number of threads; by default one per core. It does not change the result
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl JobsArgs {
    /// As many threads as `--jobs` says, or one for each core.
    pub(crate) fn threads(self) -> NonZero<usize> {
        let named = self.jobs.map(usize::from).and_then(NonZero::new);
        named.unwrap_or_else(threads)
    }
}
