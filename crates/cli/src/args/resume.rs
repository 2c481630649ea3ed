//! The arguments of `dicehill resume`.

use std::path::PathBuf;

use super::{ExternalBotArgs, RunSettingsArgs, TrustArgs};

/// Continue an interrupted run
///
/// After Ctrl-C, a crash or a power failure. The result is byte for byte that of a run that was not
/// interrupted, if the bots are deterministic. A hill has copies of its bots; a log does not: external
/// bots that played are named again, each as itself or all by their hill file, and must be what they were.
///
/// An incomplete last line of a log, which a killed run leaves, is removed. What else is not the line of a log, such as the
/// NUL bytes that a power failure leaves, is reported with its line and byte, and removed with --discard-torn.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill resume spring.db#3
  dicehill resume models.db --trust-hill          its bots get the network, secrets and files that it names
  dicehill resume spring.jsonl spring.toml
  dicehill resume spring.jsonl mine.py
  dicehill resume spring.jsonl --discard-torn     after a power failure")]
pub(crate) struct ResumeArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The external bots that play in a log, or the hill file that has them
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// Remove everything from the first damaged line of the log on, and play those games again
    #[arg(long)]
    pub(crate) discard_torn: bool,
    #[command(flatten)]
    pub(crate) settings: RunSettingsArgs,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}
