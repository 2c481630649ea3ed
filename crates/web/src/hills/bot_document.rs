//! The document of a bot in a run.

use dicehill_store::{HillStore, did_you_mean};

use super::{Hills, coaching};
use crate::Problem;
use crate::model::ratings::gains;
use crate::model::{BotDetails, BotDocument, RunState};

/// The document of a bot in a run of a hill. Takes up to a second or two.
///
/// # Errors
/// If there is no such hill, run or bot, or the store cannot be read.
pub(crate) fn bot_document(
    hills: &Hills,
    address: &str,
    run: i64,
    name: &str,
) -> Result<BotDocument, Problem> {
    let hill = hills.named(address)?;
    let view = hills.run(address, run)?;
    let missing = || {
        let meant = did_you_mean(name, view.header.bots.iter().map(|bot| bot.name.as_str()));
        let name = dicehill_arena::printable(name);
        Problem::NotFound(format!("no bot {name:?} plays in run {run}{meant}"))
    };
    let place = view.place_of(name).ok_or_else(missing)?;
    let store = HillStore::open(hill.path())?;
    let rules = &view.header.hill.terms.rules;
    let mut details = BotDetails {
        versions: store.versions_of(name)?,
        failures: store.failures(run)?,
        is_private: store.private_bots()?.contains(name),
        optimal: coaching::optimal_scores(hill.game(), rules).to_vec(),
        coach: None,
        gains: gains(&hill.latest().ratings, name),
    };
    // While games are being played the report would have to be computed again every second.
    if view.board.progress.state == RunState::Ended {
        let games = view.board.rows.iter().find(|row| row.place == place);
        let games = games.map_or(0, |row| row.games);
        details.coach = coaching::coach(&store, &store.run(run)?, name, games)?;
    }
    BotDocument::new(&view, place, details).ok_or_else(missing)
}
