//! The arguments of `dicehill man`.

use std::path::PathBuf;

/// Write a man page for each command into a folder
///
/// The files are `dicehill.1`, `dicehill-run.1` and one for each other command. Files of these names are replaced.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  dicehill man ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder, created if it is missing
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}
