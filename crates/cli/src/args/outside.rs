//! How bots outside are run.

/// How far bots outside are kept apart.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct Apart {
    /// Start no bot outside unless it can be kept apart in every way; `dicehill doctor` tells
    #[arg(long, conflicts_with = "no_isolation")]
    pub(crate) require_isolation: bool,
    /// Do not keep bots outside apart: for your own bots
    #[arg(long)]
    pub(crate) no_isolation: bool,
}
