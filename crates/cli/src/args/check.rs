//! The arguments of `dicehill check`.

use std::path::PathBuf;

use dicehill_rules::GameName;

use super::{IsolationArgs, LogArgs, ProgressArgs, VariantArgs};

/// Qualify bots: do they play legally, and the same way each time?
///
/// Each bot plays against house bots at every seat, and every game again: a program outside with one
/// process for all of them. Positions that are rare in play are put to it as well. Exit code 3 if a
/// bot does not qualify.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill check yahtzee greedy spring.toml#Mine
  dicehill check liars-dice bots/*.py --report reports")]
pub(crate) struct CheckArgs {
    /// The game: yahtzee or liars-dice
    pub(crate) game: GameName,
    /// The bots
    #[arg(value_name = "BOT", required = true)]
    pub(crate) bots: Vec<String>,
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// By the rules of a hill, and with what its bots may use
    #[arg(long, value_name = "HILL.db", conflicts_with = "rules")]
    pub(crate) hill: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) logs: LogArgs,
    /// Write a page for each bot and `check.csv`, a line for each, to a folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// How many games each plays
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) games: u32,
    /// The master seed, any text
    #[arg(long, value_name = "TEXT", default_value = "check")]
    pub(crate) seed: String,
    #[command(flatten)]
    pub(crate) progress: ProgressArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
