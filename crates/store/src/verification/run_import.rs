//! Importing a run log into a store, as a run of its hill with the same records.

use std::io::{self, Read};
use std::path::Path;

use dicehill_arena::{Hill, Move, Offence, Replay, StartValue, TournamentGame, read_game_line};
use dicehill_rules::{Chance, Game};

use super::RunCheck;
use crate::hill_store::writing::run_inserter::RunInserter;
use crate::run_log::log_line::LogLine;
use crate::{FileError, HillStore, LogReader, RecordedRun, RunHeader, TruncatedTail};

impl HillStore {
    /// Imports the run of a log as the next run of the hill, in one transaction. Everything that follows from the header, the
    /// dice and the moves is recomputed first, as by `dicehill verify`, and must be what the log has.
    ///
    /// `appraised` adds the appraiser of its game to the hill of the log.
    ///
    /// # Errors
    /// If the log is damaged, altered, of another game, or in the store already, or the store cannot be written.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub fn import<G: TournamentGame>(
        self,
        log: &Path,
        appraised: impl FnOnce(Hill<G>, Option<StartValue>) -> Hill<G>,
    ) -> Result<ImportedRun, FileError> {
        let games = Box::new(LogReader::open(log, TruncatedTail::Ignore)?);
        let source = RecordedRun::Log { path: log.to_owned(), games };
        self.check_import(log, &source)?;
        let hill = source.header().inert_hill::<G>(log)?;
        let hill = appraised(hill, source.header().start_value);
        let keeps_moves = check_run(&source, hill)?;
        let RecordedRun::Log { games, .. } = source else { unreachable!("it is a log") };
        self.import_games::<G>(log, &games, keeps_moves)
    }

    fn check_import(&self, log: &Path, source: &RecordedRun) -> Result<(), FileError> {
        if let RecordedRun::Log { games, .. } = source
            && let Some(bot) = games.excerpt()
        {
            return Err(FileError::new(log, format!("has only the games of {bot}, and is no run")));
        }
        let header = source.header();
        let (game, hill) = (header.hill.game(), self.hill().game());
        if game != hill {
            return Err(FileError::new(
                log,
                format!("a run of {game}, but this is a hill of {hill}"),
            ));
        }
        for (run, result) in self.results_under(&header.line).map_err(self.to_file_error())? {
            if has_result(source, result.as_deref()).map_err(|error| FileError::new(log, error))? {
                return Err(FileError::new(log, format!("is already on the hill: run {run}")));
            }
        }
        Ok(())
    }

    /// The runs with this header, and their results.
    fn results_under(&self, header: &str) -> rusqlite::Result<Vec<(i64, Option<String>)>> {
        let mut runs = self.database.prepare("SELECT id, result FROM run WHERE header = ?1")?;
        runs.query_map([header], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    fn import_games<G: TournamentGame>(
        self,
        log: &Path,
        games: &LogReader,
        keeps_moves: bool,
    ) -> Result<ImportedRun, FileError> {
        let mut import = Import::<G> {
            log,
            header: games.header(),
            rules: games.header().hill.bot_terms::<G>(log)?.rules,
            chance: Chance::new(&games.header().seed),
            keeps_moves,
            inserter: self.begin_import(keeps_moves)?,
        };
        games.each_line(|number, line| import.add(number, line))?;
        let stored = import.inserter.flush();
        stored.map_err(|error| FileError::new(log, error))?;
        Ok(ImportedRun { run: import.inserter.run(), keeps_moves })
    }
}

/// A run that was imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportedRun {
    /// The number of the run in the hill.
    pub run: i64,
    /// Whether the log has the moves of its games. Without them, scores could not be recomputed.
    pub keeps_moves: bool,
}

/// Whether a run has this result. That of a log may be longer than the memory.
fn has_result(source: &RecordedRun, result: Option<&str>) -> io::Result<bool> {
    let (Some(recorded), Some(result)) = (source.result_reader(), result) else {
        return Ok(source.has_result() == result.is_some());
    };
    let mut start = Vec::new();
    recorded.take(result.len() as u64 + 1).read_to_end(&mut start)?;
    Ok(start == result.as_bytes())
}

/// Recomputes the run of a log. Returns whether it has the moves of its games.
fn check_run<G: TournamentGame>(source: &RecordedRun, hill: Hill<G>) -> Result<bool, FileError> {
    let RecordedRun::Log { path, games } = source else { return Ok(true) };
    let check = RunCheck::new(source, hill);
    if !games.has_moves()? && !games.has_result() {
        let message = "has no moves and is not finished";
        return Err(FileError::new(path, message));
    }
    check.refuse_altered()?;
    Ok(source.keeps_moves())
}

/// An import in progress.
struct Import<'a, G: Game> {
    log: &'a Path,
    header: &'a RunHeader,
    rules: G::Rules,
    chance: Chance,
    keeps_moves: bool,
    inserter: RunInserter,
}

impl<G: TournamentGame> Import<'_, G> {
    /// Stores what a line adds to the run.
    fn add(&mut self, number: usize, line: String) -> Result<(), FileError> {
        let refused = |why: String| FileError::at_line(self.log, number, why);
        let written = match LogLine::read(line).map_err(refused)? {
            LogLine::Excerpt(bot) => return Err(refused(format!("has only the games of {bot}"))),
            LogLine::Header => self.inserter.start_imported(self.header),
            LogLine::Game { game, line } => {
                let replay = self.replay(&line).map_err(refused)?;
                let failures = replay.as_ref().map(|replay| self.failures(replay));
                let start = self.header.start_value;
                let highlights = replay.map(|replay| replay.highlights(self.rules, start));
                let failures = failures.unwrap_or_default();
                self.inserter.store_imported(game, &line, &failures, highlights.as_deref())
            }
            LogLine::Barred(bar) => self.inserter.store_bar(&bar),
            LogLine::Sealed(_) => Ok(()),
            LogLine::Result(document) => self.inserter.store_result(&document),
        };
        written.map_err(|error: io::Error| FileError::at_line(self.log, number, error))
    }

    /// The game of a line; `None` if its moves were not kept.
    fn replay(&self, line: &str) -> Result<Option<Replay<G>>, String> {
        if !self.keeps_moves {
            return Ok(None);
        }
        let replay = read_game_line::<G>(line, self.rules, &self.chance);
        replay.map(Some).map_err(|error| error.to_string())
    }

    /// The failures of a game with their requests, which its line does not have.
    fn failures(&self, replay: &Replay<G>) -> Vec<Offence> {
        if replay.moves.iter().all(|one| matches!(one, Move::Acted(_))) {
            return Vec::new();
        }
        let mut play = replay.begin(self.rules).with_requests(G::request_text);
        replay.moves.iter().for_each(|one| play.repeat(one));
        play.offences().to_vec()
    }
}
