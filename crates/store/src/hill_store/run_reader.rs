//! Runs as a store has them: an overview, and the games for whoever goes on, replays or checks.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dicehill_arena::{Bar, Recall, RecordsHash};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::database::{self, Access};
use super::page::Page;
use super::seal::{SEAL, altered_parts};
use super::{HillStore, StoredEntrant};
use crate::log_games::add_points;
use crate::log_header::{LogHeader, read_header_line};
use crate::{FileError, json_message};

/// Pages that are kept at hand: a few for each thread that asks.
const PAGES_AT_HAND: usize = 32;

/// What is said of a run in an overview.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// Its number, from 1.
    pub run: i64,
    /// When it began, in seconds since 1970.
    pub begun: i64,
    /// When it ended.
    pub ended: Option<i64>,
    /// Games stored that count.
    pub games: u64,
    /// Its header.
    pub header: LogHeader,
    /// The result document, if it has ended.
    pub result: Option<String>,
}

/// A run as it is stored.
#[derive(Clone, Debug)]
pub struct StoredRun {
    /// Its number, from 1.
    pub run: i64,
    /// Its header.
    pub header: LogHeader,
    /// Whether the moves of its games are kept.
    pub keeps_moves: bool,
    /// Who was barred, in order.
    pub bars: Vec<Bar>,
    /// The result document, if it has ended.
    pub result: Option<String>,
    /// The versions that played, in the order of the header; `None` of one that was not on the hill.
    pub versions: Vec<Option<i64>>,
    /// The state of the hash over all records, where moves are not kept.
    records: Option<String>,
}

impl StoredRun {
    /// The hash over the records of the stored games, if their moves are not kept.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn records_hash(&self, path: &Path) -> Result<Option<RecordsHash>, FileError> {
        if self.keeps_moves {
            return Ok(None);
        }
        let state = self.records.as_deref().unwrap_or("0:");
        let damaged = || FileError::new(path, format!("run {}: its hash is damaged", self.run));
        RecordsHash::from_state(state).map(Some).ok_or_else(damaged)
    }
}

/// A failure with what is not in the game's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFailure {
    /// How many bars there had been.
    pub attempt: i64,
    /// The game.
    pub game: u64,
    /// Whose.
    pub bot: String,
    /// For example `illegal-move`.
    pub reason: String,
    /// What happened.
    pub detail: String,
    /// What the bot was shown.
    pub request: String,
    /// The last lines of its log.
    pub log: String,
}

impl HillStore {
    /// All runs, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn runs(&self) -> Result<Vec<RunSummary>, FileError> {
        self.runs_from(1)
    }

    /// The run with this number and all after it.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn runs_from(&self, first: i64) -> Result<Vec<RunSummary>, FileError> {
        let raw = self.raw_runs(first).map_err(self.named())?;
        raw.into_iter()
            .map(|(run, begun, ended, games, header, result)| {
                let header = self.header(run, header)?;
                Ok(RunSummary { run, begun, ended, games, header, result })
            })
            .collect()
    }

    #[expect(clippy::type_complexity, reason = "the columns, in their order")]
    fn raw_runs(
        &self,
        first: i64,
    ) -> rusqlite::Result<Vec<(i64, i64, Option<i64>, u64, String, Option<String>)>> {
        let mut statement = self.database.prepare(
            "SELECT id, begun, ended,
                 coalesce((SELECT max(last) FROM page WHERE run = run.id AND attempt =
                     (SELECT count(*) FROM bar WHERE bar.run = run.id)), 0),
                 header, result
             FROM run WHERE id >= ?1 ORDER BY id",
        )?;
        let row = |row: &Row<'_>| {
            let games: i64 = row.get(3)?;
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                games.unsigned_abs(),
                row.get(4)?,
                row.get(5)?,
            ))
        };
        statement.query_map([first], row)?.collect()
    }

    /// A number that is another as soon as somebody else has changed the store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn changes(&self) -> Result<i64, FileError> {
        self.database
            .pragma_query_value(None, "data_version", |row| row.get(0))
            .map_err(self.named())
    }

    /// The run with this number.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn run(&self, run: i64) -> Result<StoredRun, FileError> {
        self.find_run(run)?.ok_or_else(|| self.no_such_run(run))
    }

    /// The run with this number, if there is one.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn find_run(&self, run: i64) -> Result<Option<StoredRun>, FileError> {
        let found = self.database.query_row(
            "SELECT header, moves, records, result FROM run WHERE id = ?1",
            [run],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        );
        let found: Option<(String, bool, Option<String>, Option<String>)> =
            found.optional().map_err(self.named())?;
        let Some((header, keeps_moves, records, result)) = found else { return Ok(None) };
        Ok(Some(StoredRun {
            run,
            header: self.header(run, header)?,
            keeps_moves,
            bars: self.bars(run)?,
            result,
            versions: self.versions(run).map_err(self.named())?,
            records,
        }))
    }

    fn no_such_run(&self, run: i64) -> FileError {
        let count = self.database.query_row("SELECT count(*) FROM run", [], |row| row.get(0));
        let count: i64 = count.unwrap_or_default();
        let plural = if count == 1 { "" } else { "s" };
        FileError::new(&self.path, format!("has no run {run}: it holds {count} run{plural}"))
    }

    fn header(&self, run: i64, line: String) -> Result<LogHeader, FileError> {
        read_header_line(line)
            .map_err(|error| FileError::new(&self.path, format!("run {run}: its header: {error}")))
    }

    fn bars(&self, run: i64) -> Result<Vec<Bar>, FileError> {
        let texts = self.column("SELECT bar FROM bar WHERE run = ?1 ORDER BY number", run);
        let bar = |text: String| {
            serde_json::from_str(&text).map_err(|error| {
                let message = format!("run {run}: a bar: {}", json_message(&error));
                FileError::new(&self.path, message)
            })
        };
        texts.map_err(self.named())?.into_iter().map(bar).collect()
    }

    fn column(&self, sql: &str, run: i64) -> rusqlite::Result<Vec<String>> {
        self.database.prepare(sql)?.query_map([run], |row| row.get(0))?.collect()
    }

    fn versions(&self, run: i64) -> rusqlite::Result<Vec<Option<i64>>> {
        let sql = "SELECT version FROM run_bot WHERE run = ?1 ORDER BY place";
        self.database.prepare(sql)?.query_map([run], |row| row.get(0))?.collect()
    }

    /// Who played in a run, in the order of its header.
    ///
    /// # Errors
    /// If somebody of it was not on the hill.
    pub fn entrants_of(&self, run: &StoredRun) -> Result<Vec<StoredEntrant>, FileError> {
        let entrant = |(name, version): (&dicehill_arena::BotName, &Option<i64>)| match version {
            Some(version) => self.version(*version),
            None => {
                let message = format!(
                    "run {}: {name} was not on the hill, and its files are unknown",
                    run.run
                );
                Err(FileError::new(&self.path, message))
            }
        };
        run.header.bots.iter().map(|bot| &bot.name).zip(&run.versions).map(entrant).collect()
    }

    /// All failures of a run, in order.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn failures(&self, run: i64) -> Result<Vec<StoredFailure>, FileError> {
        let read = || -> rusqlite::Result<Vec<StoredFailure>> {
            let mut statement = self.database.prepare(
                "SELECT attempt, game, bot, reason, detail, request, log FROM failure
                 WHERE run = ?1 ORDER BY attempt, game, number",
            )?;
            let failure = |row: &Row<'_>| {
                Ok(StoredFailure {
                    attempt: row.get(0)?,
                    game: row.get::<_, i64>(1)?.unsigned_abs(),
                    bot: row.get(2)?,
                    reason: row.get(3)?,
                    detail: row.get(4)?,
                    request: row.get(5)?,
                    log: row.get(6)?,
                })
            };
            statement.query_map([run], failure)?.collect()
        };
        read().map_err(self.named())
    }

    /// Where a run was altered since it ended, beside its games: tables and columns. `None` of a run that has not
    /// ended.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn altered_parts(&self, run: i64) -> Result<Option<Vec<&'static str>>, FileError> {
        let sql = "SELECT seal, result IS NOT NULL FROM run WHERE id = ?1";
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let stored = self.database.query_row(sql, [run], row).map_err(self.named())?;
        match stored {
            (None::<String>, false) => Ok(None),
            (None, true) => Ok(Some(vec![SEAL])),
            (Some(sealed), _) => {
                altered_parts(&self.database, run, &sealed).map(Some).map_err(self.named())
            }
        }
    }

    /// Refuses a run that is not what was stored: one that has ended by its seal, and every one by the hashes of its pages.
    /// Nothing is replayed.
    ///
    /// # Errors
    /// If anything of it was altered, or the store cannot be read.
    pub fn check_seal(&self, run: i64) -> Result<(), FileError> {
        if let Some(place) = self.altered_parts(run)?.and_then(|parts| parts.first().copied()) {
            return Err(self.altered(run, format_args!("{place}: altered since the run ended")));
        }
        let header: String = self
            .database
            .query_row("SELECT header FROM run WHERE id = ?1", [run], |row| row.get(0))
            .map_err(self.named())?;
        if let Some(problem) = self.header(run, header)?.hash_problem() {
            return Err(self.altered(run, format_args!("table run, column header: {problem}")));
        }
        let sql = "SELECT count(*) FROM bar WHERE run = ?1";
        let bars: i64 =
            self.database.query_row(sql, [run], |row| row.get(0)).map_err(self.named())?;
        (0..=bars).try_for_each(|attempt| self.check_pages(run, attempt))
    }

    fn check_pages(&self, run: i64, attempt: i64) -> Result<(), FileError> {
        let (mut next, mut previous) = (1, [0; 32]);
        self.each_page(run, attempt, |page| {
            if page.first != next || page.hash != page.hash_behind(&previous) {
                let problems = page.problems_behind(next, &previous);
                let problem = problems.first().map(String::as_str).unwrap_or_default();
                return Err(self.altered(run, format_args!("table page: {problem}")));
            }
            (next, previous) = (page.last + 1, page.hash);
            Ok(())
        })
    }

    fn altered(&self, run: i64, what: impl std::fmt::Display) -> FileError {
        let hill = self.path.display();
        let remedy = format!("`dicehill verify {hill}#{run}` names all that was altered");
        FileError::altered(&self.path, None, format!("run {run}: {what}; {remedy}"))
    }

    /// The games of a run that count, whose hashes are checked page by page.
    ///
    /// # Errors
    /// If the store cannot be read, or a page was altered.
    pub fn games(&self, run: &StoredRun) -> Result<StoredGames, FileError> {
        StoredGames::open(&self.path, run.run, run.bars.len() as i64)
    }

    /// The pages of a run's attempt, in order: its attempt 0 are the games before its first bar.
    ///
    /// # Errors
    /// If the store cannot be read, or what `each` says.
    pub fn each_page<E: From<FileError>>(
        &self,
        run: i64,
        attempt: i64,
        each: impl FnMut(Page) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_page_from(run, attempt, 1, each)
    }

    /// The same from the page on whose first game is `first` or comes behind it.
    ///
    /// # Errors
    /// If the store cannot be read, or what `each` says.
    pub fn each_page_from<E: From<FileError>>(
        &self,
        run: i64,
        attempt: i64,
        first: u64,
        mut each: impl FnMut(Page) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut statement = self
            .database
            .prepare(
                "SELECT first, last, games, times, checks, hash FROM page
                 WHERE run = ?1 AND attempt = ?2 AND first >= ?3 ORDER BY first",
            )
            .map_err(self.named())?;
        let mut rows =
            statement.query(params![run, attempt, first as i64]).map_err(self.named())?;
        while let Some(row) = rows.next().map_err(self.named())? {
            each(page_of(row).map_err(self.named())?)?;
        }
        Ok(())
    }
}

pub(super) fn page_of(row: &Row<'_>) -> rusqlite::Result<Page> {
    let number = |column: usize| row.get::<_, i64>(column).map(i64::unsigned_abs);
    Ok(Page {
        first: number(0)?,
        last: number(1)?,
        games: row.get(2)?,
        times: row.get(3)?,
        checks: row.get(4)?,
        hash: row.get(5)?,
    })
}

/// The games of a run that count, found by their numbers.
pub struct StoredGames {
    path: PathBuf,
    /// The first game of each page, and its row.
    pages: Vec<(u64, i64)>,
    games: u64,
    last_hash: [u8; 32],
    /// What is left out, if another run takes them over.
    left_out: Option<LeftOut>,
    reader: Mutex<Reader>,
}

struct Reader {
    database: Connection,
    /// Pages at hand, the latest last, by their row.
    at_hand: VecDeque<(i64, Arc<Vec<String>>)>,
}

impl StoredGames {
    fn open(path: &Path, run: i64, attempt: i64) -> Result<Self, FileError> {
        let database = database::open(path, Access::Read)?;
        let mut games = Self {
            path: path.to_owned(),
            pages: Vec::new(),
            games: 0,
            last_hash: [0; 32],
            left_out: None,
            reader: Mutex::new(Reader { database, at_hand: VecDeque::new() }),
        };
        games.check_pages(run, attempt)?;
        Ok(games)
    }

    /// Goes through all pages once: whole, in order, and without gaps.
    fn check_pages(&mut self, run: i64, attempt: i64) -> Result<(), FileError> {
        let Self { path, pages, games, last_hash, reader, .. } = self;
        let named = |error| database::error(path, &error);
        let reader = reader.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut statement = reader
            .database
            .prepare(
                "SELECT first, last, games, times, checks, hash, id FROM page
                 WHERE run = ?1 AND attempt = ?2 ORDER BY first",
            )
            .map_err(named)?;
        let mut rows = statement.query(params![run, attempt]).map_err(named)?;
        while let Some(row) = rows.next().map_err(named)? {
            let page = page_of(row).map_err(named)?;
            if let Some(game) = page.altered_game() {
                let message = format!("run {run}: the record of game {game} was altered");
                return Err(FileError::altered(path, None, message));
            }
            if page.first != *games + 1 || page.hash != page.hash_behind(last_hash) {
                let (next, last) = (*games + 1, page.last);
                let message = format!(
                    "run {run}: the records of games {next} to {last} were altered or taken out"
                );
                return Err(FileError::altered(path, None, message));
            }
            pages.push((page.first, row.get(6).map_err(named)?));
            (*games, *last_hash) = (page.last, page.hash);
        }
        Ok(())
    }

    /// How many games there are, from the first on.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.games
    }

    /// The number of the next game, and the hash of the last page.
    pub(super) const fn end(&self) -> (u64, [u8; 32]) {
        (self.games + 1, self.last_hash)
    }

    /// The games that another run may take over as they are: between all but these bots, and without
    /// failures, of which more is known than their lines say.
    #[must_use]
    pub fn between_all_but(self, bots: Vec<String>) -> Self {
        Self { left_out: Some(LeftOut { bots }), ..self }
    }

    /// The line of the game with this number.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn line_of(&self, game: u64) -> Result<Option<String>, FileError> {
        if game == 0 || game > self.games {
            return Ok(None);
        }
        let at = self.pages.partition_point(|(first, _)| *first <= game) - 1;
        let (first, row) = self.pages[at];
        let lines = self.page(row)?;
        Ok(lines.get((game - first) as usize).cloned())
    }

    fn page(&self, row: i64) -> Result<Arc<Vec<String>>, FileError> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, lines)) = reader.at_hand.iter().find(|(known, _)| *known == row) {
            return Ok(Arc::clone(lines));
        }
        let games: String = reader
            .database
            .query_row("SELECT games FROM page WHERE id = ?1", [row], |row| row.get(0))
            .map_err(|error| database::error(&self.path, &error))?;
        let page = Page { games, ..Page::default() };
        let lines = Arc::new(page.lines().map(str::to_owned).collect::<Vec<_>>());
        reader.at_hand.push_back((row, Arc::clone(&lines)));
        if reader.at_hand.len() > PAGES_AT_HAND {
            reader.at_hand.pop_front();
        }
        Ok(lines)
    }

    /// What each bot brought to the game with this number: the points of all games before.
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

/// Games that are played anew.
struct LeftOut {
    bots: Vec<String>,
}

impl LeftOut {
    fn holds(&self, line: &str) -> bool {
        #[derive(serde::Deserialize)]
        struct Seats {
            seats: Vec<String>,
            #[serde(default)]
            failures: Vec<serde::de::IgnoredAny>,
        }
        serde_json::from_str(line).map_or(true, |Seats { seats, failures }| {
            !failures.is_empty() || seats.iter().any(|name| self.bots.contains(name))
        })
    }
}

impl Recall for StoredGames {
    fn line(&self, game: u64) -> io::Result<Option<String>> {
        let line = self.line_of(game).map_err(io::Error::other)?;
        match &self.left_out {
            Some(left_out) => Ok(line.filter(|line| !left_out.holds(line))),
            None => Ok(line),
        }
    }
}
