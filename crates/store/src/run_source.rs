//! A recorded run whose games can be asked for.

use std::collections::HashMap;
use std::path::Path;

use dicehill_arena::Recall;

use crate::{BrokenEnd, FileError, RecordedRun, StoredGames, UncheckedRun};

/// A recorded run, with those of its games that count.
pub type RunSource = RecordedRun<Box<StoredGames>>;

impl RunSource {
    /// Opens a RUN: a run log, `HILL.db#N`, or `HILL.db` for its last run. Of a hill's run seal and pages are checked; a log is
    /// for [`crate::RunCheck`], which names the line that was altered.
    ///
    /// # Errors
    /// If there is none, it was altered, or it is damaged.
    pub fn open(run: &Path, broken_end: BrokenEnd) -> Result<Self, FileError> {
        Ok(match UncheckedRun::open(run, broken_end)? {
            UncheckedRun::Log { path, games } => Self::Log { path, games },
            UncheckedRun::Stored { store, run, games: () } => {
                store.check_seal(run.run)?;
                let games = Box::new(store.games(&run)?);
                Self::Stored { store, run, games }
            }
        })
    }

    /// How many games there are that count.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Log { games, .. } => games.count(),
            Self::Stored { games, .. } => games.count(),
        }
    }

    /// The games.
    #[must_use]
    pub fn games(&self) -> &dyn Recall {
        match self {
            Self::Log { games, .. } => &**games,
            Self::Stored { games, .. } => &**games,
        }
    }

    /// The line of the game with this number, and, of a log, the number of the line. Without a number, the
    /// log's only game.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be read any more.
    pub fn find_game(&self, wanted: Option<u64>) -> Result<(Option<usize>, String), FileError> {
        match self {
            Self::Log { games, .. } => {
                games.find_game(wanted).map(|(number, line)| (Some(number), line))
            }
            Self::Stored { games, .. } => {
                let count = games.count();
                let Some(wanted) = wanted else {
                    let message = format!("holds {count} games: say which one, from its number");
                    return Err(self.error(None, message));
                };
                let missing = || format!("has no game {wanted}: it holds {count} games");
                let line = games.line_of(wanted)?.ok_or_else(|| self.error(None, missing()))?;
                Ok((None, line))
            }
        }
    }

    /// The points that each player brought to the game with this number: those of all games before.
    ///
    /// # Errors
    /// If not all games before are there.
    pub fn points_before(&self, game: u64) -> Result<HashMap<String, u64>, FileError> {
        match self {
            Self::Log { games, .. } => games.points_before(game),
            Self::Stored { games, .. } => games.points_before(game),
        }
    }
}
