//! The arguments of `dicehill play`.

use dicehill_rules::GameName;

use super::game_name::game_name;
use super::{IsolationArgs, VariantArgs};

/// Play against bots at the terminal
///
/// You see what a bot in your seat would see. Type `help` for a list of commands, `undo` to take back
/// a move, `quit` to leave. A game ends with the cost of your decisions.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill play yahtzee --hints
  dicehill play liars-dice --against badnomial nobody pirate --seed tuesday")]
pub(crate) struct PlayArgs {
    /// The game: yahtzee or liars-dice
    #[arg(value_parser = game_name)]
    pub(crate) game: GameName,
    /// Your opponents; by default aces-and-eights and dummy in Yahtzee, and badnomial, nobody and pirate in Liar's Dice
    #[arg(long, value_name = "BOT", num_args = 1..)]
    pub(crate) against: Vec<String>,
    /// Show the best choices at each of your turns, as typing `hint` does
    #[arg(long)]
    pub(crate) hints: bool,
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// The master seed, any text; drawn at random by default
    #[arg(long, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
