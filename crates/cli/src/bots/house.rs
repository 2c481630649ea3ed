//! House bots by name.

use std::path::Path;
use std::sync::Arc;

use dicehill_arena::Program;
use dicehill_rules::{GameName, with_game};
use dicehill_store::{BotPreparationError, did_you_mean, did_you_mean_file};

use crate::games::TerminalGame;

/// The house bot with this name.
pub(super) fn house<G: TerminalGame>(
    name: &str,
) -> Result<Arc<dyn Program<G>>, BotPreparationError> {
    match G::house_bots().into_iter().find(|bot| bot.name() == name) {
        Some(bot) => Ok(Arc::new(bot)),
        None => {
            Err(BotPreparationError::bot_error(format!("{name:?}: {}", why_unknown::<G>(name))))
        }
    }
}

/// Why there is no such house bot for the game.
fn why_unknown<G: TerminalGame>(name: &str) -> String {
    match GameName::ALL.into_iter().find(|game| house_names(*game).contains(&name)) {
        Some(other) => format!("this house bot plays {other}, not {}", G::NAME),
        None => {
            let names = names::<G>();
            // Boards and documents have identities, such as `house:greedy@1`.
            let plain = name.strip_prefix("house:").unwrap_or(name);
            let plain = plain.split_once('@').map_or(plain, |(plain, _)| plain);
            let (known, similar) = (names.join(", "), similar_bot(plain, names));
            format!("no such house bot; those for {} are {known}{similar}", G::NAME)
        }
    }
}

/// The house bot or file of a similar name.
pub(super) fn similar_bot<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    match did_you_mean(name, names) {
        similar if similar.is_empty() => did_you_mean_file(Path::new(name)),
        similar => similar,
    }
}

/// The names of the house bots for a game.
pub(super) fn house_names(game: GameName) -> Vec<&'static str> {
    with_game!(game, G => names::<G>())
}

fn names<G: TerminalGame>() -> Vec<&'static str> {
    G::house_bots().iter().map(dicehill_bots::HouseBot::name).collect()
}
