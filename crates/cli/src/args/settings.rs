//! How a tournament is carried out.

use super::{ProgressArgs, Style};

/// How a tournament is carried out.
#[derive(clap::Args)]
pub(crate) struct RunSettingsArgs {
    /// Threads that play; all cores unless given. The result is the same for any number
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) style: Style,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}
