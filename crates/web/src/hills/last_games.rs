//! The last games of a run.

use std::ops::ControlFlow;

use dicehill_store::{FileError, GameLine, GameOrder, HillStore, RunHeader};

use crate::model::games::GameRow;

/// The number of last games that are shown.
const LAST_GAMES: usize = 5;

/// The last games of a run, newest first; none if they were altered.
///
/// # Errors
/// If the store cannot be read.
pub(super) fn last_games(
    store: &HillStore,
    run: i64,
    header: &RunHeader,
) -> Result<Vec<GameRow>, FileError> {
    let mut games = Vec::new();
    let read = store.each_game_from(run, u64::MAX, GameOrder::Down, |_, line| {
        games.extend(GameLine::read(line).map(|line| GameRow::of(header, line)));
        if games.len() < LAST_GAMES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match read {
        Err(error) if error.is_altered() => Ok(Vec::new()),
        read => read.map(|()| games),
    }
}
