//! Whether workers play the games.

use super::BrokerArgs;

/// Whether workers play the games.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct HostingArgs {
    /// Let workers play the games: `dicehill work` on other machines, connected by NATS. It does not change the result
    #[arg(long, value_name = "nats://HOST:PORT")]
    pub(crate) workers: Option<String>,
    #[command(flatten)]
    pub(crate) broker: BrokerArgs,
}
