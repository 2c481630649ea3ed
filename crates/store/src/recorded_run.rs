//! A recorded run, whatever it lies in: a run log, or the store of a hill.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use dicehill_arena::{AnswerSum, Bar};

use crate::hill_store::Page;
use crate::run_log::{bar_line, seal_line};
use crate::{FileError, HillStore, LogGames, LogHeader, StoredRun};

/// A recorded run, and `G`, what is known of its games if a store has them: a log has been read whole.
pub enum RecordedRun<G> {
    /// A run log.
    Log {
        /// Where it is.
        path: PathBuf,
        /// What it holds.
        games: Box<LogGames>,
    },
    /// A run of a hill's store.
    Stored {
        /// The store.
        store: Box<HillStore>,
        /// The run.
        run: Box<StoredRun>,
        /// What is known of its games.
        games: G,
    },
}

/// A game of a run, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// The number of its line, of a log.
    pub number: Option<usize>,
    /// Its line.
    pub line: String,
    /// How long each seat took to answer; nothing of a log, and of games in which only house bots played.
    pub times: Vec<Option<AnswerSum>>,
}

impl<G> RecordedRun<G> {
    /// The log, or the hill.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Log { path, .. } => path,
            Self::Stored { store, .. } => store.path(),
        }
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

    /// Its number in its hill; nothing of a log.
    #[must_use]
    pub const fn number(&self) -> Option<i64> {
        match self {
            Self::Log { .. } => None,
            Self::Stored { run, .. } => Some(run.run),
        }
    }

    /// Whether the moves of its games are kept.
    #[must_use]
    pub const fn keeps_moves(&self) -> bool {
        match self {
            Self::Log { .. } => true,
            Self::Stored { run, .. } => run.keeps_moves,
        }
    }

    /// Each game that counts, in order.
    ///
    /// # Errors
    /// If it cannot be read any more, or what `each` says.
    pub fn each_game<E: From<FileError>>(
        &self,
        mut each: impl FnMut(StoredGame) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Log { games, .. } => games.each_game(|number, line| {
                each(StoredGame { number: Some(number), line, times: Vec::new() })
            }),
            Self::Stored { store, run, .. } => {
                store.each_page(run.run, run.bars.len() as i64, |page| {
                    self.each_game_of(&page, &mut each)
                })
            }
        }
    }

    fn each_game_of<E: From<FileError>>(
        &self,
        page: &Page,
        each: &mut impl FnMut(StoredGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut times = page.times();
        page.lines().try_for_each(|line| {
            let times = read_times(times.next().unwrap_or("null"));
            let times = times.map_err(|why| self.error(None, format!("answer times: {why}")))?;
            each(StoredGame { number: None, line: line.to_owned(), times })
        })
    }

    /// Each line of the run's log: byte for byte, but for the newlines, what `dicehill run --out` writes.
    ///
    /// # Errors
    /// If it cannot be read any more, a record was altered, or what `each` says.
    pub fn each_log_line<E: From<FileError>>(
        &self,
        mut each: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let (store, run) = match self {
            Self::Log { games, .. } => return games.each_line(|_, line| each(&line)),
            Self::Stored { store, run, .. } => (store, run),
        };
        let mut hasher = blake3::Hasher::new();
        let mut hashed = |line: &str| {
            hasher.update(line.as_bytes()).update(b"\n");
            each(line)
        };
        hashed(&run.header.line)?;
        for attempt in 0..=run.bars.len() {
            store.each_page(run.run, attempt as i64, |page| {
                if let Some(game) = page.altered_game() {
                    let message = format!("run {}: the record of game {game} was altered", run.run);
                    return Err(FileError::altered(store.path(), None, message).into());
                }
                page.lines().try_for_each(&mut hashed)
            })?;
            if let Some(bar) = run.bars.get(attempt) {
                hashed(&bar_line(bar).map_err(|error| self.error(None, error))?)?;
            }
        }
        let Some(result) = run.result.as_deref() else { return Ok(()) };
        each(&seal_line(&hasher).map_err(|error| self.error(None, error))?)?;
        each(result)
    }

    /// What was altered in it, at a line of a log.
    pub fn altered(&self, line: Option<usize>, message: impl Display) -> FileError {
        match self {
            Self::Log { path, .. } => FileError::altered(path, line, message),
            Self::Stored { store, run, .. } => {
                FileError::altered(store.path(), None, format!("run {}: {message}", run.run))
            }
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

/// Reads what a page says of a game's times.
pub(crate) fn read_times(text: &str) -> Result<Vec<Option<AnswerSum>>, serde_json::Error> {
    let seats: Option<Vec<Option<[u64; 3]>>> = serde_json::from_str(text)?;
    let sum =
        |[answers, total_us, longest_us]: [u64; 3]| AnswerSum { answers, total_us, longest_us };
    Ok(seats.unwrap_or_default().into_iter().map(|seat| seat.map(sum)).collect())
}
