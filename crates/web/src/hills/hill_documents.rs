//! Parts of a hill's document that follow from single rows of its store.

use dicehill_arena::PlacementResult;
use dicehill_store::{HillStore, RunSummary, StoredEntrant};

use crate::model::hill::{EntrantDocument, PlacementProgress};
use crate::model::placed_line::PlacedLine;
use crate::model::run_view::RunView;
use crate::model::time::date;
use crate::model::{HillDocument, HillSummary, Progress, RunLine, RunState};

/// The document of a hill of which only the record is known.
pub(super) fn empty_hill(address: &str, store: &HillStore) -> HillDocument {
    let terms = &store.hill().terms;
    let summary = HillSummary {
        hill: address.to_owned(),
        name: dicehill_arena::printable(&terms.name),
        game: terms.game.clone(),
        format: terms.format.name().to_owned(),
        entrants: 0,
        runs: 0,
        champion: None,
        champion_sure: None,
        state: None,
    };
    HillDocument {
        summary,
        version: 0,
        entrants_now: Vec::new(),
        history: Vec::new(),
        board: None,
        placement: None,
        changes: Vec::new(),
        ratings: Vec::new(),
        last_games: Vec::new(),
        commitment: None,
        message: None,
        schedule: None,
        opens: None,
        closes: None,
    }
}

/// The progress of an unfinished placement; `None` if the run is no placement.
pub(super) fn placement(view: &RunView) -> Option<PlacementProgress> {
    let bot = view.header.hill.terms.challenger.as_deref().filter(|_| view.is_placement())?;
    let Progress { state, games, .. } = view.board.progress;
    Some(PlacementProgress { run: view.run, bot: dicehill_arena::printable(bot), state, games })
}

pub(super) fn run_line(run: &RunSummary, is_played: bool) -> RunLine {
    #[derive(Default, serde::Deserialize)]
    struct Crowned {
        champion: Option<String>,
        champion_sure: Option<f64>,
        placing: Option<PlacementResult>,
        standings: Vec<Barred>,
    }
    #[derive(serde::Deserialize)]
    struct Barred {
        bot: String,
        barred: Option<Bar>,
    }
    #[derive(serde::Deserialize)]
    struct Bar {
        reason: String,
    }
    let result = run.result.as_deref().map(serde_json::from_str::<Crowned>);
    let state = match (&result, is_played) {
        (Some(_), _) => RunState::Ended,
        (None, true) => RunState::Playing,
        (None, false) => RunState::Stopped,
    };
    let Crowned { champion, champion_sure, placing, standings } =
        result.and_then(Result::ok).unwrap_or_default();
    let barred = |bot: &str| {
        let row = standings.iter().find(|row| row.bot == bot)?;
        row.barred.as_ref().map(|bar| bar.reason.as_str())
    };
    let placed =
        |placing: &PlacementResult| PlacedLine::new(placing, barred(&placing.bot), standings.len());
    RunLine {
        run: run.run,
        begun: date(run.begun),
        ended: run.ended.map(date),
        state,
        bots: run.header.bots.len(),
        games: run.games,
        champion,
        champion_sure,
        placed: placing.as_ref().map(placed),
    }
}

/// The line of an altered run, without anything that its result says.
pub(super) fn altered_line(line: RunLine) -> RunLine {
    RunLine { state: RunState::Altered, champion: None, champion_sure: None, ..line }
}

/// An entrant.
pub(super) fn entrant_document(entrant: &StoredEntrant) -> EntrantDocument {
    EntrantDocument {
        bot: entrant.name.to_string(),
        version: entrant.number,
        hash: dicehill_arena::printable(&entrant.identity),
        author: entrant.author.as_deref().map(dicehill_arena::printable),
        added: date(entrant.added),
    }
}
