//! The game of a line of a run.

use dicehill_arena::{ReadRecordError, Replay, read_game_line};
use dicehill_rules::Chance;
use dicehill_store::{RunHeader, RunSource};

use super::numbered_line::NumberedLine;
use crate::failure::Failure;
use crate::games::TerminalGame;
use crate::recorded::why_unreadable;

/// Reads the game of a line, whose players the header has to name.
pub(super) fn read_game<G: TerminalGame>(
    source: &RunSource,
    NumberedLine { number, text }: NumberedLine<'_>,
    rules: G::Rules,
    chance: &Chance,
) -> Result<Replay<G>, Failure> {
    let replay = read_game_line::<G>(text, rules, chance).map_err(|error| {
        let why = why_unreadable(&error);
        let were_kept = !matches!(error, ReadRecordError::NoMoves);
        if were_kept { source.altered(number, why) } else { source.error(number, why) }
    })?;
    if let Some(unnamed) = unnamed_player(&replay, source.header()) {
        let message = format!("bot {unnamed:?} plays, but the header does not name it");
        return Err(source.altered(number, message).into());
    }
    Ok(replay)
}

/// A player that the header does not name. The names in the header have been checked.
fn unnamed_player<'a, G: TerminalGame>(
    replay: &'a Replay<G>,
    header: &RunHeader,
) -> Option<&'a String> {
    let is_named = |name: &String| header.bots.iter().any(|bot| bot.name.as_str() == name);
    replay.names.iter().find(|name| !is_named(name))
}
