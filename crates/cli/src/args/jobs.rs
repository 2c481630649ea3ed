//! How many threads a command uses.

use std::num::NonZero;

use dicehill_arena::Jobs;

use crate::threads::threads;

/// How many threads a command uses.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct JobsArgs {
    /// The number of threads; by default up to one per core. It does not change the result
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl JobsArgs {
    /// How many threads play: as many as `--jobs` says, or up to one for each core.
    pub(crate) fn jobs(self) -> Jobs {
        self.jobs.map_or_else(|| Jobs::UpTo(threads().get()), |named| Jobs::Exactly(named.into()))
    }

    /// As many threads as `--jobs` says, or one for each core.
    pub(crate) fn threads(self) -> NonZero<usize> {
        let named = self.jobs.map(usize::from).and_then(NonZero::new);
        named.unwrap_or_else(threads)
    }
}
