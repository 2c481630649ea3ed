//! The arguments of `dicehill check`.

use std::path::PathBuf;

use super::{IsolationArgs, LogArgs, ProgressArgs, VariantArgs};

/// Qualify bots: do they play legally, and the same way each time?
///
/// Each bot plays a challenge against the house bots, or against the entrants of a hill, and then replays every game.
/// It must also answer in positions that are rare in play. The exit code is 3 if a bot does not qualify.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill check ./Mine
  dicehill check yahtzee greedy mine.py spring.toml#Mine
  dicehill check ./Mine --watch --against greedy
  dicehill check ./Mine --positions mistakes.jsonl
  dicehill check liars-dice bots/*.py --report reports")]
pub(crate) struct CheckArgs {
    /// The game (yahtzee, liars-dice), optional if the bots determine it, and the bots
    #[arg(value_name = "GAME|BOT", required = true)]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// Check the bot as a new entrant of this hill: with its rules, format, memory, limits and names
    #[arg(long, value_name = "HILL.db", conflicts_with = "rules")]
    pub(crate) hill: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    /// Write a page for each bot, and `check.csv` with a line for each, to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Ask only in these positions, as written by `analyze --save-positions`, and report which mistakes are gone. The exit
    /// code is 3 if one is left
    #[arg(long, value_name = "FILE", conflicts_with_all = ["hill", "rules", "report", "games", "seed"])]
    pub(crate) positions: Option<PathBuf>,
    /// After each save, check the bot quickly and play 200 games against --against, on the same dice each time: is it better than
    /// before? Ctrl-C ends it
    #[arg(long, conflicts_with_all = ["hill", "report", "games", "positions"])]
    pub(crate) watch: bool,
    /// With --watch: the opponent; by default aces-and-eights in Yahtzee, and badnomial in Liar's Dice
    #[arg(long, value_name = "BOT", requires = "watch")]
    pub(crate) against: Option<String>,
    /// The number of games per bot; by default 50 (fewer if they take longer than 30 seconds), or 2 for a bot with `network = true`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) games: Option<u32>,
    /// The master seed, to repeat an earlier check; by default a seed is drawn and printed
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
