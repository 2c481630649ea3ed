//! The arguments of `dicehill open`.

use std::path::PathBuf;

use super::replay::game_number;

/// Show a recorded run, or one of its games, in the browser
///
/// Starts a server on a free port that only this machine can reach, prints the address of the page and opens it. A log
/// needs no hill: it is imported into a temporary one, with the checks of every import.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill open run.jsonl              the board of a log
  dicehill open run.jsonl 17           game 17, move by move
  dicehill open spring.db#3 --no-browser

Ctrl-C ends it.")]
pub(crate) struct OpenArgs {
    /// A run log, HILL.db#N, or HILL.db for its last run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The number of a game, to show it instead of the board
    #[arg(value_name = "GAME", value_parser = game_number)]
    pub(crate) game: Option<u64>,
    /// Only print the address
    #[arg(long)]
    pub(crate) no_browser: bool,
}
