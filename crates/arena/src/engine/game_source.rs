//! Where a run finds games that were recorded before: those of an interrupted run, and those of an earlier run that a
//! new entrant does not change.

use std::io;

use dicehill_rules::Game;

use crate::{Bar, Fixture, Hill, RecordedGame, RecordsHash};

/// A source of recorded games. Many threads ask at once.
pub trait GameSource: Sync {
    /// The line of the game with this number, as [`crate::game_line`] wrote it; `None` if the game has to be played.
    ///
    /// A line of another table or other entrants, or one that has appraisals where the run has none or the reverse, is
    /// ignored and the game is played.
    ///
    /// # Errors
    /// If a recorded line cannot be read; the game is not played instead.
    fn line(&self, game: u64) -> io::Result<Option<String>>;
}

/// A source without games.
pub struct NoGames;

impl GameSource for NoGames {
    fn line(&self, _game: u64) -> io::Result<Option<String>> {
        Ok(None)
    }
}

/// The state from which a run starts or resumes.
pub struct ResumeState<'a> {
    /// The bars so far, in their order: from qualification or from earlier in the run.
    pub bars: Vec<Bar>,
    /// The games that are not played again.
    pub games: &'a dyn GameSource,
    /// Whether the run is resumed: its header and these bars are not reported again.
    pub is_resumed: bool,
    /// The hash over the records of these games, if their lines are not complete.
    pub records: Option<RecordsHash>,
}

impl ResumeState<'_> {
    /// A new run, after these bars of the qualification.
    #[must_use]
    pub fn fresh(bars: Vec<Bar>) -> Self {
        Self { bars, games: &NoGames, is_resumed: false, records: None }
    }
}

/// Looks up a game; `None` if it has to be played.
///
/// # Errors
/// If its record cannot be read.
pub(crate) fn recorded_game<G: Game>(
    games: &dyn GameSource,
    hill: &Hill<G>,
    fixture: &Fixture,
) -> io::Result<Option<RecordedGame>> {
    let Some(line) = games.line(fixture.game)? else { return Ok(None) };
    RecordedGame::read(hill, fixture.clone(), line).map_err(|error| {
        io::Error::new(io::ErrorKind::InvalidData, format!("game {}: {error}", fixture.game))
    })
}
