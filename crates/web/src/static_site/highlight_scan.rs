//! The most remarkable games of a run that is read.

use dicehill_arena::{HighlightedGame, Highlights, Hill, read_game_line};
use dicehill_rules::Chance;
use dicehill_store::{FileError, RecordedRun, RunSource};

use crate::model::shown_game::ShownGame;

/// Finds the most remarkable games while a run is read, unless its store has them.
pub(super) struct HighlightScan {
    /// `None` if a game could not be looked at.
    pub(super) found: Option<Highlights>,
    is_known: bool,
}

impl HighlightScan {
    /// Before the first game.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn new(source: &RunSource) -> Result<Self, FileError> {
        let stored = match &**source {
            RecordedRun::Stored { store, run } => store.highlights(run.run)?,
            RecordedRun::Log { .. } => None,
        };
        let is_known = stored.is_some();
        Ok(Self { found: stored.or_else(|| Some(Highlights::default())), is_known })
    }

    /// Takes the line of a game.
    pub(super) fn take<G: ShownGame>(&mut self, hill: &Hill<G>, chance: &Chance, line: &str) {
        let Some(found) = self.found.as_mut().filter(|_| !self.is_known) else { return };
        let Ok(replay) = read_game_line::<G>(line, hill.rules(), chance) else {
            self.found = None;
            return;
        };
        for highlight in replay.highlights(hill.rules(), hill.start_value()) {
            if found.wants(replay.game, &highlight)
                && let Some(game) = HighlightedGame::of(replay.game, &replay.names, &highlight)
            {
                found.offer(game);
            }
        }
    }
}
