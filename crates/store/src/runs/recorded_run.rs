//! A recorded run: a run log, or a run in the store of a hill.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use dicehill_arena::{AnswerSum, Bar, GameSource, NoGames};
use dicehill_rules::SeedParts;
use serde::de::DeserializeOwned;

use crate::hill_store::pages::answer_times::read_times;
use crate::run_log::log_line::{bar_line, seal_line};
use crate::{
    FileError, GamePage, HillStore, LogReader, RunHeader, RunSummary, StoredGames, StoredRun,
    TruncatedTail, refuse_standard_input,
};

/// The first bytes of every SQLite database.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// A recorded run.
pub enum RecordedRun {
    /// A run log.
    Log {
        /// The path of the log.
        path: PathBuf,
        /// Its header, bars, games and result.
        games: Box<LogReader>,
    },
    /// A run of a hill's store.
    Stored {
        /// The store of the hill.
        store: Box<HillStore>,
        /// The run without its games.
        run: Box<StoredRun>,
    },
}

/// A game of a recorded run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// The number of its line in a log, from 1; `None` in a store.
    pub number: Option<usize>,
    /// The line of the game.
    pub line: String,
    /// The answer times by seat; empty for a log, and for a game of house bots alone.
    pub times: Vec<Option<AnswerSum>>,
}

impl RecordedRun {
    /// Opens a RUN: a run log, `HILL.db#N`, or `HILL.db` for its last run, which is an imported one only if it has no other.
    /// The hashes of a store are not checked: see [`crate::RunSource`] and [`crate::RunCheck`].
    ///
    /// # Errors
    /// If there is no such run, or it cannot be read.
    pub fn open(run: &Path, broken_end: TruncatedTail) -> Result<Self, FileError> {
        refuse_standard_input(run)?;
        match hill_and_number(run)? {
            Some((hill, number)) => Self::open_stored(HillStore::open(&hill)?, number),
            None => {
                let games = Box::new(LogReader::open(run, broken_end)?);
                Ok(Self::Log { path: run.to_owned(), games })
            }
        }
    }

    fn open_stored(store: HillStore, number: Option<i64>) -> Result<Self, FileError> {
        let number = match number {
            Some(number) => number,
            None => last_of(&store.runs()?).ok_or_else(|| {
                FileError::new(
                    store.path(),
                    "has no run yet; `dicehill hill add` plays the first one",
                )
            })?,
        };
        let run = Box::new(store.run(number)?);
        Ok(Self::Stored { store: Box::new(store), run })
    }

    /// The path of the log or the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Log { path, .. } => path,
            Self::Stored { store, .. } => store.path(),
        }
    }

    /// The header of the run.
    #[must_use]
    pub const fn header(&self) -> &RunHeader {
        match self {
            Self::Log { games, .. } => games.header(),
            Self::Stored { run, .. } => &run.header,
        }
    }

    /// The bars, in order.
    #[must_use]
    pub fn bars(&self) -> &[Bar] {
        match self {
            Self::Log { games, .. } => games.bars(),
            Self::Stored { run, .. } => &run.bars,
        }
    }

    /// Whether the run has ended: it has a result document.
    #[must_use]
    pub fn has_result(&self) -> bool {
        match self {
            Self::Log { games, .. } => games.has_result(),
            Self::Stored { run, .. } => run.result.is_some(),
        }
    }

    /// Reads the result document, which in a log may be longer than the memory; `None` of an unfinished run.
    #[must_use]
    pub fn result_reader(&self) -> Option<Box<dyn BufRead + '_>> {
        match self {
            Self::Log { games, .. } => {
                games.result_reader().map(|section| Box::new(BufReader::new(section)) as _)
            }
            Self::Stored { run, .. } => {
                run.result.as_deref().map(|text| Box::new(text.as_bytes()) as _)
            }
        }
    }

    /// The keys of the result document that `T` has; `None` of an unfinished run, and if the document cannot be read as `T`.
    #[must_use]
    pub fn result_keys<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_reader(self.result_reader()?).ok()
    }

    /// The result document, as a whole in memory; `None` of an unfinished run.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn result_text(&self) -> Result<Option<String>, FileError> {
        let Some(mut reader) = self.result_reader() else { return Ok(None) };
        let mut text = String::new();
        reader.read_to_string(&mut text).map_err(|error| self.error(self.result_line(), error))?;
        Ok(Some(text))
    }

    /// The number of the line of the result document in a log, from 1.
    pub(crate) fn result_line(&self) -> Option<usize> {
        match self {
            Self::Log { games, .. } => games.result_line(),
            Self::Stored { .. } => None,
        }
    }

    /// Whether the header holds a secret that nothing may show yet, because the run has not ended.
    #[must_use]
    pub fn has_hidden_secret(&self) -> bool {
        !self.has_result() && SeedParts::of(&self.header().seed).secret.is_some()
    }

    /// The number of the run in its hill; `None` of a log.
    #[must_use]
    pub const fn number(&self) -> Option<i64> {
        match self {
            Self::Log { .. } => None,
            Self::Stored { run, .. } => Some(run.run),
        }
    }

    /// Whether the moves of its games were kept: of a log judging by the first game that counts. The log of an unfinished run
    /// must have them.
    #[must_use]
    pub fn keeps_moves(&self) -> bool {
        match self {
            Self::Log { games, .. } => !games.has_result() || games.has_moves().unwrap_or(true),
            Self::Stored { run, .. } => run.keeps_moves,
        }
    }

    /// Calls `each` with the games that count, in order.
    ///
    /// # Errors
    /// If the run cannot be read, and the errors of `each`.
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
        page: &GamePage,
        each: &mut impl FnMut(StoredGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut times = page.times();
        page.lines().try_for_each(|line| {
            let times = read_times(times.next().unwrap_or("null"));
            let times = times.map_err(|why| self.error(None, format!("answer times: {why}")))?;
            each(StoredGame { number: None, line: line.to_owned(), times })
        })
    }

    /// Calls `each` with each line of the run's log, without the newline: the bytes that `dicehill run --out` writes.
    ///
    /// # Errors
    /// If the run cannot be read or a record was altered, and the errors of `each`.
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

    /// Refuses an altered run by its hashes, without replaying a game.
    ///
    /// # Errors
    /// If anything that the hashes cover was altered.
    pub(crate) fn check_seal(&self) -> Result<(), FileError> {
        match self {
            Self::Log { games, .. } => games.check_seal(),
            Self::Stored { store, run, .. } => store.check_seal(run.run),
        }
    }

    /// Calls `each` with the line of each game of an attempt, and with the line's number in a log. Attempt 0 are the games
    /// before the first bar.
    ///
    /// # Errors
    /// If the run cannot be read.
    pub fn each_line_of(
        &self,
        attempt: usize,
        mut each: impl FnMut(Option<usize>, String),
    ) -> Result<(), FileError> {
        match self {
            Self::Log { games, .. } => games.attempt(attempt).try_for_each(|found| {
                let (number, line) = found?;
                each(Some(number), line);
                Ok(())
            }),
            Self::Stored { store, run, .. } => store.each_page(run.run, attempt as i64, |page| {
                page.lines().for_each(|line| each(None, line.to_owned()));
                Ok(())
            }),
        }
    }

    /// The games of a store's run that count, after a check of their pages; `None` of a log.
    ///
    /// # Errors
    /// If a page was altered or cannot be read.
    pub fn stored_games(&self) -> Result<Option<StoredGames>, FileError> {
        match self {
            Self::Log { .. } => Ok(None),
            Self::Stored { store, run, .. } => store.games(run).map(Some),
        }
    }

    /// The games that count. For a run of a store, `stored` has them: see [`RecordedRun::stored_games`].
    #[must_use]
    pub fn game_source<'a>(&'a self, stored: Option<&'a StoredGames>) -> &'a dyn GameSource {
        match (self, stored) {
            (_, Some(stored)) => stored,
            (Self::Log { games, .. }, None) => &**games,
            (Self::Stored { .. }, None) => &NoGames,
        }
    }

    /// The error that the run was altered, at a line of a log.
    pub fn altered(&self, line: Option<usize>, message: impl Display) -> FileError {
        match self {
            Self::Log { path, .. } => FileError::altered(path, line, message),
            Self::Stored { store, run, .. } => {
                FileError::altered(store.path(), None, format!("run {}: {message}", run.run))
            }
        }
    }

    /// The error that the run cannot be used, at a line of a log.
    pub fn error(&self, line: Option<usize>, message: impl Display) -> FileError {
        match (self, line) {
            (Self::Log { path, .. }, Some(line)) => FileError::at_line(path, line, message),
            (Self::Log { path, .. }, None) => FileError::new(path, message),
            (Self::Stored { store, run, .. }, _) => {
                FileError::new(store.path(), format!("run {}: {message}", run.run))
            }
        }
    }
}

/// The last run, of those that were not imported if there are any.
fn last_of(runs: &[RunSummary]) -> Option<i64> {
    let own = runs.iter().rev().find(|run| !run.is_imported);
    own.or_else(|| runs.last()).map(|run| run.run)
}

/// The store and the number in a RUN argument; `None` of a log.
fn hill_and_number(run: &Path) -> Result<Option<(PathBuf, Option<i64>)>, FileError> {
    let text = run.to_string_lossy();
    let hill_and_number =
        text.rsplit_once('#').filter(|(hill, _)| !run.exists() && Path::new(hill).exists());
    let Some((hill, number)) = hill_and_number else {
        return Ok(is_database(run).then(|| (run.to_owned(), None)));
    };
    let number = number.parse().map_err(|_| {
        FileError::new(Path::new(hill), format!("#{number}: a run has a number, from 1"))
    })?;
    Ok(Some((PathBuf::from(hill), Some(number))))
}

fn is_database(path: &Path) -> bool {
    let mut start = [0; SQLITE.len()];
    let read = |mut file: File| -> io::Result<()> { file.read_exact(&mut start) };
    path.is_file() && File::open(path).and_then(read).is_ok() && start == SQLITE
}
