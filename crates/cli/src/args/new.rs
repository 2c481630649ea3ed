//! The arguments of `dicehill new`.

use dicehill_rules::GameName;

use crate::new::Language;

/// Begin a bot: write a folder with one that plays, and its test
///
/// The folder holds all that the bot is written with. It is a BOT for the other commands.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill new python yahtzee Mine
  dicehill check yahtzee ./Mine
  dicehill run yahtzee ./Mine greedy")]
pub(crate) struct NewArgs {
    /// The language in which it is written
    #[arg(value_name = "LANG", value_enum)]
    pub(crate) language: Language,
    /// The game: yahtzee or liars-dice
    pub(crate) game: GameName,
    /// The bot's name and that of its folder: letters, digits and _, a letter first
    #[arg(value_parser = crate::new::identifier)]
    pub(crate) name: String,
}
