//! The arguments of `dicehill resume`.

use std::path::PathBuf;

use super::{ExternalBotArgs, RunSettingsArgs};

/// Go on with a run that was left
///
/// After Ctrl-C, a crash or a power failure. The result is byte for byte that of a run that was not
/// interrupted, if the bots are deterministic. A hill has copies of its bots; a log does not: bots
/// outside that played are named again, each as itself or all by their hill file, and must be what they were.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill resume spring.db#3
  dicehill resume spring.jsonl spring.toml
  dicehill resume spring.jsonl mine.py")]
pub(crate) struct ResumeArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The bots outside that play in a log, or the hill file that has them
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    #[command(flatten)]
    pub(crate) settings: RunSettingsArgs,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
}
