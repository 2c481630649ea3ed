//! How external bots are run.

use std::path::{Path, PathBuf};

/// How external bots are run.
#[derive(clap::Args)]
pub(crate) struct ExternalBotArgs {
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// Where the logs of external bots go.
#[derive(clap::Args)]
pub(crate) struct LogArgs {
    /// Write the stderr of external bots to files in this folder, up to 1 MiB per bot (256 MiB with `network = true`)
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
}

impl LogArgs {
    /// The folder; `None` if they go nowhere.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.logs.as_deref()
    }
}

/// How far external bots are isolated.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct IsolationArgs {
    /// Start no external bot unless the sandbox keeps every promise; `dicehill doctor` checks this machine
    #[arg(long, conflicts_with = "no_isolation")]
    pub(crate) require_isolation: bool,
    /// Run external bots without a sandbox: for your own bots
    #[arg(long)]
    pub(crate) no_isolation: bool,
}
