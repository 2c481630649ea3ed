//! The arguments of `dicehill duel`.

use dicehill_arena::{Confidence, EloMargin};
use dicehill_rules::GameName;

use super::{StandaloneRunArgs, VariantArgs};

/// Find out which of two bots is better, in as few games as it takes
///
/// Both play every table from each seat, until their points tell which one is better: after each block
/// of two games it looks, and with the probability P it is right, however often it looks.
/// Liar's Dice is played by two at a table here. Exit code 0 whether it is decided or not.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.help("How the result is printed")))]
#[command(after_help = "\
Examples:
  dicehill duel greedy aces-and-eights
  dicehill duel bayes badnomial --until 0.999 --max-games 1000000
  dicehill duel ./Mine-2 ./Mine --game yahtzee --not-worse-than 5
  dicehill duel ./Mine ./Mine-2 --game yahtzee --out duel.jsonl")]
pub(crate) struct DuelArgs {
    /// The two bots, in the forms that `run` takes
    #[arg(value_names = ["BOT", "BOT"], num_args = 2, required = true)]
    pub(crate) bots: Vec<String>,
    /// The probability at which it is decided
    #[arg(long, value_name = "P", default_value = "0.99", allow_negative_numbers = true)]
    pub(crate) until: Confidence,
    /// Ask instead whether the first bot is not worse than the second by more than this many Elo. The games are won and lost
    /// with a tie as half a win; either answer holds with the probability of --until
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) not_worse_than: Option<EloMargin>,
    /// Games after which it gives up
    #[arg(long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(2..=1_000_000_000))]
    pub(crate) max_games: u32,
    /// The game, if the bots' names leave it open: yahtzee or liars-dice
    #[arg(long)]
    pub(crate) game: Option<GameName>,
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    #[command(flatten)]
    pub(crate) standalone: StandaloneRunArgs,
}
