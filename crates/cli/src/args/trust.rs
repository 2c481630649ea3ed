//! Whether the bots of a hill get what the hill names for them.

/// Whether the bots of a hill get what the hill names for them.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct TrustArgs {
    /// Give bots the network, secrets and files that their hill names, if you trust the hill's maker with them. Without
    /// it, no command starts such bots of a hill
    #[arg(long)]
    pub(crate) trust_hill: bool,
    /// Give bots the files of the hill's environments that they ask for. `dicehill serve --accept` always does, because
    /// the hill is the host's own
    #[arg(long)]
    pub(crate) trust_environments: bool,
}
