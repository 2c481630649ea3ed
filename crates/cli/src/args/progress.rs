//! How progress is shown.

use crate::console::ProgressMode;

/// How progress is shown.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct ProgressArgs {
    /// Format of the progress on stderr
    #[arg(long = "progress", value_name = "MODE", value_enum, default_value_t = ProgressMode::Auto)]
    pub(crate) mode: ProgressMode,
}
