//! The arguments of `dicehill work`.

use super::{BrokerArgs, ExternalBotArgs, JobsArgs, TrustArgs};

/// Play games of runs that other machines host
///
/// Connects to NATS and plays ranges of games for every `dicehill run --workers` there, one run after the other. Ctrl-C
/// and SIGTERM end it after the current range.
///
/// Host and workers need the same version of dicehill. External bots travel to the worker, which starts them in its own
/// sandbox; it declines a run whose bots it cannot start.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill work nats://127.0.0.1:4222
  dicehill work tls://nats.example.org --nats-creds worker.creds --require-isolation")]
pub(crate) struct WorkArgs {
    /// The address of the NATS server, with JetStream
    #[arg(value_name = "nats://HOST:PORT")]
    pub(crate) address: String,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) broker: BrokerArgs,
    #[command(flatten)]
    pub(crate) external: ExternalBotArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}
