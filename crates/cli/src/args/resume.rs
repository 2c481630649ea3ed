//! The arguments of `dicehill resume`.

use std::path::PathBuf;

use super::{ExternalBotArgs, HostingArgs, RunSettingsArgs, TrustArgs};

/// Continue an interrupted run
///
/// Use it after Ctrl-C, a crash or a power failure. If the bots are deterministic, the result is identical to that of
/// an uninterrupted run, byte for byte. A hill has copies of its bots. For a log, pass its external bots or their hill
/// file; the bots must be unchanged.
///
/// A killed run may leave an incomplete last line in its log, which is removed. Other damage, such as the NUL bytes
/// that a power failure may leave, is reported with its line and byte, and removed with --discard-torn.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill resume spring.db#3
  dicehill resume models.db --trust-hill          with the network, secrets and files of its bots
  dicehill resume spring.jsonl spring.toml
  dicehill resume spring.jsonl mine.py
  dicehill resume spring.db#3 --workers nats://127.0.0.1:4222
  dicehill resume spring.jsonl --discard-torn     after a power failure")]
pub(crate) struct ResumeArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The external bots of a log, or their hill file
    #[arg(value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// Remove everything from the first damaged line of the log on, and replay those games
    #[arg(long)]
    pub(crate) discard_torn: bool,
    #[command(flatten)]
    pub(crate) hosting: HostingArgs,
    #[command(flatten)]
    pub(crate) settings: RunSettingsArgs,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}
