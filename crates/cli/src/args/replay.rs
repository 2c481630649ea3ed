//! The arguments of `dicehill replay`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{IsolationArgs, TrustArgs};

/// Show a recorded game move by move
///
/// Every move is checked against the rules and the dice of the run's seed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill replay spring.jsonl 17
  dicehill replay spring.jsonl 17 --save game-17.jsonl
  dicehill replay game-17.jsonl --format json
  dicehill replay spring.jsonl 17 --input Mine | python3 mine.py
  dicehill replay spring.jsonl --failed
  dicehill replay spring.jsonl --failed --resend ./Mine
  dicehill replay spring.db#3 17 --rerun
  dicehill replay models.db#3 17 --rerun --trust-hill
  dicehill replay spring.jsonl 17 --rerun spring.toml")]
pub(crate) struct ReplayArgs {
    /// A run log written with `run --out`, HILL.db#N, HILL.db for its last run, or a game written with --save
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The number of the game, from 1; optional if the log has a single game
    #[arg(value_name = "GAME", value_parser = game_number)]
    pub(crate) game: Option<u64>,
    /// Format of the game
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReplayFormat::Text)]
    pub(crate) format: ReplayFormat,
    /// Instead of showing the game, write it to a file that is new or empty
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    pub(crate) save: Option<PathBuf>,
    /// Print the input of this bot in the game, to be piped into the bot
    #[arg(long, value_name = "BOT", conflicts_with_all = ["format", "save"])]
    pub(crate) input: Option<String>,
    /// With --input: include the `round` messages, for a bot that requests them
    #[arg(long, requires = "input")]
    pub(crate) rounds: bool,
    /// Play the game again and report whether the moves are the same. For a log, pass its external bots or their hill
    /// file. The exit code is 1 if a move differs. A game with a remote bot cannot be played again
    #[arg(long, value_name = "BOT", num_args = 0.., conflicts_with_all = ["format", "save", "input"])]
    pub(crate) rerun: Option<Vec<String>>,
    /// Show the failures of bots in the run or in GAME: the request, what was wrong with the answer, and the end of the
    /// log
    #[arg(long, conflicts_with_all = ["format", "save", "input", "rerun"])]
    pub(crate) failed: bool,
    /// With --failed: send this bot the failed request once more. The exit code is 3 if it fails again
    #[arg(long, value_name = "BOT", requires = "failed")]
    pub(crate) resend: Option<String>,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

/// The number of a game, which follows the run.
pub(super) fn game_number(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| match text.parse::<u64>() {
        Ok(_) => "the games of a run are numbered from 1".to_owned(),
        Err(_) => "must be the number of a game, from 1; the run comes before it".to_owned(),
    })
}

/// How a replay is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// For people
    Text,
    /// One JSON document with every position and move
    Json,
}
