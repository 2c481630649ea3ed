//! How bots outside are run.

use std::path::{Path, PathBuf};

/// How bots outside are run.
#[derive(clap::Args)]
pub(crate) struct ExternalBotArgs {
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// Where the logs of bots outside go.
#[derive(clap::Args)]
pub(crate) struct LogArgs {
    /// Write what bots outside write to their stderr to files in a folder, up to 1 MiB for each bot (256 MiB with `network = true`)
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
}

impl LogArgs {
    /// The folder; `None` if they go nowhere.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.logs.as_deref()
    }
}

/// How far bots outside are kept apart.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct IsolationArgs {
    /// Start no bot outside unless it can be kept apart in every way; `dicehill doctor` tells
    #[arg(long, conflicts_with = "no_isolation")]
    pub(crate) require_isolation: bool,
    /// Do not keep bots outside apart: for your own bots
    #[arg(long)]
    pub(crate) no_isolation: bool,
}
