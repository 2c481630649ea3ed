//! Where a run finds games that were recorded before: those of an interrupted run, those of an earlier run that a new
//! entrant does not change, and those that another machine has played.

use std::io;

use dicehill_rules::Game;

use crate::{Bar, Fixture, Hill, Offence, RecordedGame, RecordsHash};

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

    /// Whether [`GameSource::line`] answers at once: where other machines play, it waits for them.
    fn is_ready(&self, _game: u64) -> bool {
        true
    }

    /// Called when an entrant is barred and the run begins again, with all bars so far.
    fn begin_again(&self, _bars: &[Bar]) {}

    /// The offences in this game that the run has to judge, in the order of the line's failures: those of a game that
    /// another machine has played for this run. `None` if they were judged before and barred no entrant.
    ///
    /// # Errors
    /// If they cannot be read.
    fn unjudged_offences(&self, _game: u64) -> io::Result<Option<Vec<Offence>>> {
        Ok(None)
    }

    /// The machine that played the game whose line was asked for, if another one has played it for this run.
    fn machine(&self, _game: u64) -> Option<String> {
        None
    }

    /// Called before a game is played because no line of it is known that fits.
    ///
    /// # Errors
    /// If the run may not play games.
    fn permit_play(&self, _game: u64) -> io::Result<()> {
        Ok(())
    }
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
    /// How many games the run had recorded when it was interrupted.
    pub recorded: u64,
    /// The hash over the records of these games, if their lines are not complete.
    pub records: Option<RecordsHash>,
}

impl ResumeState<'_> {
    /// A new run, after these bars of the qualification.
    #[must_use]
    pub fn fresh(bars: Vec<Bar>) -> Self {
        Self { bars, games: &NoGames, is_resumed: false, recorded: 0, records: None }
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
    let read = |line| RecordedGame::read(hill, fixture.clone(), line);
    let recorded = games.line(fixture.game)?.map(read).transpose().map_err(|error| {
        io::Error::new(io::ErrorKind::InvalidData, format!("game {}: {error}", fixture.game))
    })?;
    match recorded.flatten() {
        None => games.permit_play(fixture.game).map(|()| None),
        Some(game) => {
            let has_failed = !game.failures.is_empty();
            let unjudged = has_failed.then(|| games.unjudged_offences(fixture.game)).transpose()?;
            let machine = games.machine(fixture.game);
            Ok(Some(RecordedGame { unjudged: unjudged.flatten(), machine, ..game }))
        }
    }
}
