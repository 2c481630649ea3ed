//! The remarkable games that a store has of a run, compared with those that its games contain.

use dicehill_arena::{HighlightedGame, Highlights};
use serde_json::json;

use super::discrepancy::Discrepancy;
use super::finding::{Finding, VerifiedPart};
use crate::{FileError, RecordedRun};

/// The remarkable games that a store has of the run, and of how many games; `None` of a log, and if not all games were looked at.
pub(super) fn recorded_highlights(
    run: &RecordedRun,
) -> Result<Option<(Highlights, u64)>, FileError> {
    match run {
        RecordedRun::Log { .. } => Ok(None),
        RecordedRun::Stored { store, run, .. } => store.highlights_of_games(run.run),
    }
}

/// Whether the recorded ones are the recomputed ones.
pub(super) fn compared(recorded: &Highlights, recomputed: &Highlights) -> Finding {
    let [recorded, recomputed] = [recorded, recomputed].map(Highlights::games);
    let differs = |index: &usize| recorded.get(*index) != recomputed.get(*index);
    let problem = |index: usize| {
        let [one, other] = [recorded, recomputed].map(|games| shown(games.get(index)));
        Discrepancy::differs(None, &format!("highlights[{index}]"), one, other)
    };
    let all = 0..recorded.len().max(recomputed.len());
    let problems = all.filter(differs).map(problem).collect();
    Finding::of(VerifiedPart::Highlights(recorded.len() as u64), problems)
}

fn shown(game: Option<&HighlightedGame>) -> String {
    game.map_or_else(|| "none".to_owned(), |game| json!(game).to_string())
}
