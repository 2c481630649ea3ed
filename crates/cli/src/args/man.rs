//! The arguments of `dicehill man`.

use std::path::PathBuf;

/// Write a man page for each command into a folder
///
/// The files are `dicehill.1`, `dicehill-run.1` and one for each other command. Existing files are replaced.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  dicehill man ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder, which is created if necessary
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}
