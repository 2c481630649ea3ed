//! The arguments of `dicehill duel`.

use dicehill_arena::{Confidence, EloMargin};
use dicehill_rules::GameName;

use super::game_name::game_name;
use super::{StandaloneRunArgs, VariantArgs};

/// Find out which of two bots is better, with as few games as needed
///
/// Both bots play every table from each seat. The duel stops once their points decide which one is better. It checks
/// after each block of two games, and its answer is right with probability P, no matter how often it checks. In Liar's
/// Dice both bots play alone at a table. The exit code is 0 whether the question was decided or not.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.help("Format of the result")))]
#[command(
    override_usage = "dicehill duel [OPTIONS] [GAME] <BOT> <BOT>",
    after_help = "\
Examples:
  dicehill duel greedy aces-and-eights
  dicehill duel bayes badnomial --until 0.999 --max-games 1000000
  dicehill duel yahtzee ./Mine-2 ./Mine --not-worse-than 5
  dicehill duel yahtzee ./Mine ./Mine-2 --out duel.jsonl"
)]
pub(crate) struct DuelArgs {
    /// The two bots, in the forms that `run` takes; the game comes before them if their names do not determine it
    #[arg(value_name = "BOT", num_args = 2..=3, required = true)]
    pub(crate) bots: Vec<String>,
    /// The required probability that the answer is right
    #[arg(long, value_name = "P", default_value = "0.99", allow_negative_numbers = true)]
    pub(crate) until: Confidence,
    /// Ask instead whether the first bot is not worse than the second by more than this many Elo. A tie counts as half a
    /// win; either answer is right with the probability of --until
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) not_worse_than: Option<EloMargin>,
    /// The maximum number of games
    #[arg(long, alias = "games", value_name = "N", default_value_t = 100_000, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(2..=1_000_000_000))]
    pub(crate) max_games: u32,
    /// The game, if the bots' names do not determine it: yahtzee or liars-dice
    #[arg(long, value_parser = game_name)]
    pub(crate) game: Option<GameName>,
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    #[command(flatten)]
    pub(crate) standalone: StandaloneRunArgs,
}
