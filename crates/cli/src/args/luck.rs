//! Whether losses and luck are computed.

/// What a run says of luck.
#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct LuckArgs {
    /// Leave out what decisions cost and what was luck, where the game has that
    #[arg(long)]
    pub(crate) no_luck: bool,
}
