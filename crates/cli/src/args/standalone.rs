//! How a run is played that belongs to no hill.

use std::path::PathBuf;

use super::{ExternalBotArgs, LuckArgs, RunSettingsArgs};

/// How a run is played that belongs to no hill.
#[derive(clap::Args)]
pub(crate) struct StandaloneRunArgs {
    /// The master seed, any text; drawn at random by default
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    #[command(flatten)]
    pub(crate) settings: RunSettingsArgs,
    /// Write the run log, JSON Lines, to a file that is new or empty
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) luck: LuckArgs,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
}
