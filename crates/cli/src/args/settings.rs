//! How a tournament is carried out.

use super::{JobsArgs, ProgressArgs, Style};

/// How a tournament is carried out.
#[derive(clap::Args)]
pub(crate) struct RunSettingsArgs {
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) style: Style,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
}
