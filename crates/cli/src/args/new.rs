//! The arguments of `dicehill new`.

use dicehill_rules::GameName;

use super::game_name::game_name;
use super::language::Language;

/// Write a folder with a bot to start from, and its test
///
/// The folder has everything that the bot needs. Pass it as a BOT to the other commands.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  dicehill new python yahtzee Mine
  dicehill check ./Mine
  dicehill run ./Mine greedy")]
pub(crate) struct NewArgs {
    /// The programming language
    #[arg(value_name = "LANG", value_parser = Language::parser())]
    pub(crate) language: &'static Language,
    /// The game: yahtzee or liars-dice
    #[arg(value_parser = game_name)]
    pub(crate) game: GameName,
    /// The name of the bot and its folder: letters, digits and _, beginning with a letter
    #[arg(value_parser = identifier)]
    pub(crate) name: String,
}

/// The name, if it is valid for files, classes and packages in every language.
fn identifier(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain) {
        Ok(text.to_owned())
    } else {
        Err("must be letters, digits and _, beginning with a letter".to_owned())
    }
}
