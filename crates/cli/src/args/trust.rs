//! Whether the bots of a hill get what the hill names for them.

/// Whether the bots of a hill get what the hill names for them.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct TrustArgs {
    /// Give bots the network, secrets and files that their hill names. Use it only for hills whose makers you trust with
    /// them. Without it, no command starts such bots of a hill
    #[arg(long)]
    pub(crate) trust_hill: bool,
    /// Give bots the files of the environments of this hill that they ask for. `dicehill serve --accept` does, since it is the
    /// host's
    #[arg(long)]
    pub(crate) trust_environments: bool,
}
