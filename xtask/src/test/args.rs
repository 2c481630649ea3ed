//! What the command line of `cargo xtask test` says.

use std::num::NonZero;

use clap::Args;

use super::Part;

const EXAMPLES: &str = "\
Examples:
  cargo xtask test                  the default set
  cargo xtask test --all            everything, the thorough tests and the benchmarks too
  cargo xtask test rules solver     two parts
  cargo xtask test cli --all        one part with its thorough tests
  cargo xtask test --no-install     test what this machine has the tools for, install nothing

As root on Debian or Ubuntu, missing tools are installed with apt-get. Elsewhere the command prints how to install
them, tests what it can, and lists what was not tested. With --all, a missing tool is an error.";

/// Which tests run, and how.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct TestArgs {
    /// Parts to test; all of them unless named
    #[arg(value_parser = Part::parser(), value_name = "PART")]
    pub parts: Vec<Part>,
    /// Run the thorough tests and the benchmarks too, and fail if a tool is missing
    #[arg(long)]
    pub all: bool,
    /// Install nothing
    #[arg(long)]
    pub no_install: bool,
    /// Tests that run at the same time; twice the number of processors unless given
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZero<usize>>,
    /// Print everything that the tests print
    #[arg(long, short)]
    pub verbose: bool,
}

impl TestArgs {
    /// The parts that are asked for, in their usual order.
    pub(crate) fn requested(&self) -> Vec<Part> {
        let is_requested = |part: &Part| {
            if self.parts.is_empty() {
                self.all || !part.is_thorough()
            } else {
                self.parts.contains(part)
            }
        };
        Part::all().into_iter().filter(is_requested).collect()
    }

    /// How many tests run at once: more than there are processors, because many tests wait for processes.
    pub(crate) fn threads(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        self.jobs.map_or(2 * processors, NonZero::get)
    }
}
