//! The arguments of what a host does with entries.

use std::path::PathBuf;

/// Entries on which a host acts.
#[derive(clap::Args)]
pub(crate) struct EntriesArgs {
    /// The hill
    #[arg(value_name = "HILL.db")]
    pub(crate) hill: PathBuf,
    /// Numbers of entries, as printed by `dicehill hill queue`
    #[arg(value_name = "NUMBER", required = true, value_parser = entry_number)]
    pub(crate) entries: Vec<i64>,
    #[command(flatten)]
    pub(crate) host: HostArgs,
}

/// Who acts as the host.
#[derive(clap::Args)]
pub(crate) struct HostArgs {
    /// The number of the host's token in the log of actions; by default the log names the user at this terminal
    #[arg(long = "as-token", value_name = "NUMBER")]
    pub(crate) token: Option<i64>,
}

fn entry_number(text: &str) -> Result<i64, String> {
    let number = text.parse().ok();
    number.ok_or_else(|| "must be a number that `dicehill hill queue` prints".to_owned())
}
