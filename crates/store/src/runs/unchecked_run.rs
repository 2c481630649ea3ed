//! A recorded run whose hashes have not been checked.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::{FileError, HillStore, LogReader, RecordedRun, TruncatedTail};

/// The first bytes of every SQLite database.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// A recorded run. If a store has it, its games have not been read.
pub type UncheckedRun = RecordedRun<()>;

impl UncheckedRun {
    /// Opens a RUN: a run log, `HILL.db#N`, or `HILL.db` for its last run.
    ///
    /// # Errors
    /// If there is no such run, or it cannot be read.
    pub fn open(run: &Path, broken_end: TruncatedTail) -> Result<Self, FileError> {
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
            None => store.runs()?.last().map(|run| run.run).ok_or_else(|| {
                FileError::new(store.path(), "has no run yet; `dicehill hill add` plays the first")
            })?,
        };
        let run = Box::new(store.run(number)?);
        Ok(Self::Stored { store: Box::new(store), run, games: () })
    }
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
