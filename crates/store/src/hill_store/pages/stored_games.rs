//! The games of a stored run that count, found by their numbers.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dicehill_arena::GameSource;
use rusqlite::{Connection, params};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::GamePage;
use super::page_reader::{COLUMNS, page_of};
use crate::FileError;
use crate::hill_store::database;
use crate::hill_store::{HillStore, StoredRun};
use crate::run_log::points::add_points;

/// The number of pages that are cached: a few for each thread that reads.
const CACHED_PAGES: usize = 32;

impl HillStore {
    /// The games of a run that count. The hashes of all their pages are checked.
    ///
    /// # Errors
    /// If the store cannot be read, or a page was altered.
    pub fn games(&self, run: &StoredRun) -> Result<StoredGames, FileError> {
        StoredGames::open(&self.path, run.run, run.bars.len() as i64)
    }
}

/// The games of a run that count, found by their numbers. Their pages have been checked.
pub struct StoredGames {
    path: PathBuf,
    /// The first game and the row of each page.
    pages: Vec<(u64, i64)>,
    count: u64,
    last_hash: [u8; 32],
    /// The bots whose games another run cannot take over, if it takes over the others.
    excluded: Option<Vec<String>>,
    reader: Mutex<Reader>,
}

struct Reader {
    database: Connection,
    /// The rows and lines of the pages that were read last, newest last.
    cache: VecDeque<(i64, Arc<Vec<String>>)>,
}

impl StoredGames {
    fn open(path: &Path, run: i64, attempt: i64) -> Result<Self, FileError> {
        let database = database::open_to_read(path)?.database;
        let mut games = Self {
            path: path.to_owned(),
            pages: Vec::new(),
            count: 0,
            last_hash: [0; 32],
            excluded: None,
            reader: Mutex::new(Reader { database, cache: VecDeque::new() }),
        };
        games.check_pages(run, attempt)?;
        Ok(games)
    }

    /// Reads all pages once: each must be unaltered, and they must be in order and without gaps.
    fn check_pages(&mut self, run: i64, attempt: i64) -> Result<(), FileError> {
        let Self { path, pages, count, last_hash, reader, .. } = self;
        let to_file_error = |error| database::error(path, &error);
        let reader = reader.get_mut().unwrap_or_else(PoisonError::into_inner);
        let sql = format!(
            "SELECT {COLUMNS}, id FROM page WHERE run = ?1 AND attempt = ?2 ORDER BY first"
        );
        let mut statement = reader.database.prepare(&sql).map_err(to_file_error)?;
        let mut rows = statement.query(params![run, attempt]).map_err(to_file_error)?;
        while let Some(row) = rows.next().map_err(to_file_error)? {
            let page = page_of(row).map_err(to_file_error)?;
            if let Some(game) = page.altered_game() {
                let message = format!("run {run}: the record of game {game} was altered");
                return Err(FileError::altered(path, None, message));
            }
            if page.first != *count + 1 || page.hash != page.hash_after(last_hash) {
                let (next, last) = (*count + 1, page.last);
                let message = format!(
                    "run {run}: the records of games {next} to {last} were altered or removed"
                );
                return Err(FileError::altered(path, None, message));
            }
            pages.push((page.first, row.get("id").map_err(to_file_error)?));
            (*count, *last_hash) = (page.last, page.hash);
        }
        Ok(())
    }

    /// The number of games.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The number of the next game, and the hash of the last page.
    pub(in crate::hill_store) const fn end(&self) -> (u64, [u8; 32]) {
        (self.count + 1, self.last_hash)
    }

    /// Restricts the games to those that another run may take over: without any of these bots, and without failures, of
    /// which a line does not have the request and the log.
    #[must_use]
    pub fn without_bots(self, bots: Vec<String>) -> Self {
        Self { excluded: Some(bots), ..self }
    }

    /// The line of this game; `None` if there is none.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn line_of(&self, game: u64) -> Result<Option<String>, FileError> {
        if game == 0 || game > self.count {
            return Ok(None);
        }
        let index = self.pages.partition_point(|(first, _)| *first <= game) - 1;
        let (first, row) = self.pages[index];
        let lines = self.page(row)?;
        Ok(lines.get((game - first) as usize).cloned())
    }

    fn page(&self, row: i64) -> Result<Arc<Vec<String>>, FileError> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, lines)) = reader.cache.iter().find(|(cached, _)| *cached == row) {
            return Ok(Arc::clone(lines));
        }
        let games: String = reader
            .database
            .query_row("SELECT games FROM page WHERE id = ?1", [row], |row| row.get(0))
            .map_err(|error| database::error(&self.path, &error))?;
        let page = GamePage { games, ..GamePage::default() };
        let lines = Arc::new(page.lines().map(str::to_owned).collect::<Vec<_>>());
        reader.cache.push_back((row, Arc::clone(&lines)));
        if reader.cache.len() > CACHED_PAGES {
            reader.cache.pop_front();
        }
        Ok(lines)
    }

    /// Each bot's points before this game: the sums over all games before it.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn points_before(&self, game: u64) -> Result<HashMap<String, u64>, FileError> {
        let mut points = HashMap::new();
        for earlier in 1..game {
            let Some(line) = self.line_of(earlier)? else { break };
            add_points(&line, &mut points)
                .map_err(|why| FileError::new(&self.path, format!("game {earlier}: {why}")))?;
        }
        Ok(points)
    }
}

/// Whether another run must play this game itself: a bot of `excluded` played in it, or a bot failed.
fn is_excluded(line: &str, excluded: &[String]) -> bool {
    #[derive(Deserialize)]
    struct Seats {
        seats: Vec<String>,
        #[serde(default)]
        failures: Vec<IgnoredAny>,
    }
    serde_json::from_str(line).map_or(true, |Seats { seats, failures }| {
        !failures.is_empty() || seats.iter().any(|name| excluded.contains(name))
    })
}

impl GameSource for StoredGames {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        let line = self.line_of(game).map_err(io::Error::other)?;
        match &self.excluded {
            Some(excluded) => Ok(line.filter(|line| !is_excluded(line, excluded))),
            None => Ok(line),
        }
    }
}
