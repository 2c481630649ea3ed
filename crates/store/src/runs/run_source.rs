//! A recorded run whose games can be read by their numbers.

use std::collections::HashMap;
use std::ops::Deref;
use std::path::Path;

use dicehill_arena::{GameSource, thousands};

use crate::{FileError, RecordedRun, StoredGames, TruncatedTail};

/// A recorded run with the games that count. If a store has it, the hashes of the run and its pages have been checked.
pub struct RunSource {
    run: RecordedRun,
    /// The checked games of a store's run; `None` of a log, which has read all its games.
    stored: Option<StoredGames>,
}

impl Deref for RunSource {
    type Target = RecordedRun;

    fn deref(&self) -> &RecordedRun {
        &self.run
    }
}

impl RunSource {
    /// Opens a RUN: a run log, `HILL.db#N`, or `HILL.db` for its last run. The seal and the pages of a store's run are
    /// checked. A log is not: use [`crate::RunCheck`], which names the altered line.
    ///
    /// # Errors
    /// If there is no such run, or it is damaged or altered.
    pub fn open(run: &Path, broken_end: TruncatedTail) -> Result<Self, FileError> {
        let run = RecordedRun::open(run, broken_end)?;
        if let RecordedRun::Stored { store, run, .. } = &run {
            store.check_seal(run.run)?;
        }
        let stored = run.stored_games()?;
        Ok(Self { run, stored })
    }

    /// The number of games that count.
    #[must_use]
    pub fn count(&self) -> u64 {
        match &self.run {
            RecordedRun::Log { games, .. } => games.count(),
            RecordedRun::Stored { .. } => self.stored().count(),
        }
    }

    /// The games that count.
    #[must_use]
    pub fn games(&self) -> &dyn GameSource {
        self.run.game_source(self.stored.as_ref())
    }

    /// The line of this game, and the number of the line in a log. Without a number, the log's only game.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be read.
    pub fn find_game(&self, wanted: Option<u64>) -> Result<(Option<usize>, String), FileError> {
        match &self.run {
            RecordedRun::Log { games, .. } => {
                games.find_game(wanted).map(|(number, line)| (Some(number), line))
            }
            RecordedRun::Stored { .. } => {
                let (games, count) = (self.stored(), self.count());
                let Some(wanted) = wanted else {
                    let message = format!("has {} games: pass the number of one", thousands(count));
                    return Err(self.error(None, message));
                };
                let missing = || format!("has no game {wanted}: it has {} games", thousands(count));
                let line = games.line_of(wanted)?.ok_or_else(|| self.error(None, missing()))?;
                Ok((None, line))
            }
        }
    }

    /// Each bot's points before this game: the sums over all games before it.
    ///
    /// # Errors
    /// If a game before it is missing or cannot be read.
    pub fn points_before(&self, game: u64) -> Result<HashMap<String, u64>, FileError> {
        match &self.run {
            RecordedRun::Log { games, .. } => games.points_before(game),
            RecordedRun::Stored { .. } => self.stored().points_before(game),
        }
    }

    /// The games of a store's run.
    fn stored(&self) -> &StoredGames {
        self.stored.as_ref().expect("`open` reads the games of a store's run")
    }
}
