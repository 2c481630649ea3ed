//! The name of a game.

use dicehill_rules::GameName;
use dicehill_store::did_you_mean;

/// Parses a game that an argument names.
///
/// # Errors
/// If there is no such game, with the known ones.
pub(super) fn game_name(text: &str) -> Result<GameName, String> {
    text.parse().map_err(|error| {
        format!("{error}{}", did_you_mean(text, GameName::ALL.map(GameName::name)))
    })
}
