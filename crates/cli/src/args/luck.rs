//! Whether losses and luck are computed.

/// What a run says of luck.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct LuckArgs {
    /// Omit loss and luck, which saves time
    #[arg(long)]
    pub(crate) no_luck: bool,
}
