//! The arguments of `dicehill workers`.

use super::{BrokerArgs, TextFormat};

/// Show the workers and the runs that they play
///
/// Listens to NATS for two seconds: each host and each worker sends a message every second.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill workers nats://127.0.0.1:4222
  dicehill workers nats://127.0.0.1:4222 --format json")]
pub(crate) struct WorkersArgs {
    /// The address of the NATS server
    #[arg(value_name = "nats://HOST:PORT")]
    pub(crate) address: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub(crate) format: TextFormat,
    #[command(flatten)]
    pub(crate) broker: BrokerArgs,
}
