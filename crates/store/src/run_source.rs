//! Where a recorded run is read: a run log, or a run of a hill's store.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use dicehill_arena::{Bar, Recall};

use crate::{
    BrokenEnd, FileError, HillStore, LogGames, LogHeader, StoredGames, StoredRun, UncheckedRun,
};

/// A recorded run.
pub enum RunSource {
    /// A run log.
    Log {
        /// Where it is.
        path: PathBuf,
        /// What it holds.
        games: LogGames,
    },
    /// A run of a hill's store.
    Stored {
        /// The store.
        store: Box<HillStore>,
        /// The run.
        run: Box<StoredRun>,
        /// Its games that count.
        games: StoredGames,
    },
}

impl RunSource {
    /// Opens a RUN: a run log, `HILL.db#N`, or `HILL.db` for its last run.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn open(run: &Path, broken_end: BrokenEnd) -> Result<Self, FileError> {
        Ok(match UncheckedRun::open(run, broken_end)? {
            UncheckedRun::Log { path, games } => Self::Log { path, games },
            UncheckedRun::Stored { store, run } => {
                let games = store.games(&run)?;
                Self::Stored { store: Box::new(store), run, games }
            }
        })
    }

    /// Its header.
    #[must_use]
    pub const fn header(&self) -> &LogHeader {
        match self {
            Self::Log { games, .. } => games.header(),
            Self::Stored { run, .. } => &run.header,
        }
    }

    /// Who was barred, in order.
    #[must_use]
    pub fn bars(&self) -> &[Bar] {
        match self {
            Self::Log { games, .. } => games.bars(),
            Self::Stored { run, .. } => &run.bars,
        }
    }

    /// The result document, if it has come to its end.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        match self {
            Self::Log { games, .. } => games.result(),
            Self::Stored { run, .. } => run.result.as_deref(),
        }
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
            Self::Log { games, .. } => games,
            Self::Stored { games, .. } => games,
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

    /// What is wrong with it, at a line of a log.
    pub fn error(&self, line: Option<usize>, message: impl Display) -> FileError {
        match (self, line) {
            (Self::Log { path, .. }, Some(line)) => FileError::at(path, line, message),
            (Self::Log { path, .. }, None) => FileError::new(path, message),
            (Self::Stored { store, run, .. }, _) => {
                FileError::new(store.path(), format!("run {}: {message}", run.run))
            }
        }
    }
}
