//! The most remarkable games of a run that is being stored.

use std::io;

use dicehill_arena::{Highlight, HighlightedGame, Highlights, printable_json};
use serde::Deserialize;

/// The most remarkable games so far, and whether the store has them.
#[derive(Default)]
pub(super) struct HighlightTracker {
    /// `None` if some game was not looked at: then nothing can be said of the run.
    found: Option<Highlights>,
    is_stored: bool,
}

impl HighlightTracker {
    /// Before the first game.
    pub(super) fn begun() -> Self {
        Self { found: Some(Highlights::default()), is_stored: false }
    }

    /// After games whose highlights are stored; `None` if they are not.
    pub(super) const fn resumed(found: Option<Highlights>) -> Self {
        Self { found, is_stored: true }
    }

    /// Whether all games so far were looked at.
    pub(super) const fn is_complete(&self) -> bool {
        self.found.is_some()
    }

    /// Takes what is remarkable in a game with this line; `None` if it was not looked for.
    pub(super) fn take(
        &mut self,
        game: u64,
        line: &str,
        highlights: Option<&[Highlight]>,
    ) -> io::Result<()> {
        let Some(found) = &mut self.found else { return Ok(()) };
        let Some(highlights) = highlights else {
            *self = Self { found: None, is_stored: false };
            return Ok(());
        };
        for highlight in highlights {
            if found.wants(game, highlight) {
                found.offer(named(game, line, highlight)?);
                self.is_stored = false;
            }
        }
        Ok(())
    }

    /// What the store lacks: the text of the column, or null. `None` if it has that already.
    pub(super) fn unstored(&mut self) -> io::Result<Option<Option<String>>> {
        if std::mem::replace(&mut self.is_stored, true) {
            return Ok(None);
        }
        let text = self.found.as_ref().map(printable_json).transpose()?;
        Ok(Some(text))
    }
}

/// The highlight with the names of the entrants, from the line of its game.
fn named(game: u64, line: &str, highlight: &Highlight) -> io::Result<HighlightedGame> {
    #[derive(Deserialize)]
    struct Seats {
        seats: Vec<String>,
    }
    let Seats { seats } = serde_json::from_str(line)?;
    let missing = || io::Error::other(format!("game {game} lacks the seat of a highlight"));
    HighlightedGame::of(game, &seats, highlight).ok_or_else(missing)
}
