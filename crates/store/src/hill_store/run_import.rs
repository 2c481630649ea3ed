//! A run log is taken into a store: the same records, as a run of the hill.

use std::io;
use std::path::Path;

use dicehill_arena::{Hill, Move, Offence, Recall, StartValue, read_game_line};
use dicehill_rules::{Chance, Game};
use rusqlite::{OptionalExtension, params};

use super::HillStore;
use super::run_writer::Writer;
use crate::log_games::LogLine;
use crate::{BrokenEnd, FileError, GameLine, LogGames, LogHeader, RecordedRun, RunCheck};

impl HillStore {
    /// Takes the run of a log in, as the next of the hill. Everything that follows from header, dice and moves is
    /// recomputed first, as `dicehill verify` does it, and the log is refused if anything is recorded otherwise. All of it is
    /// stored, or nothing.
    ///
    /// `appraised` gives the hill of the log its game's appraiser.
    ///
    /// # Errors
    /// If the log is damaged or altered, it is of another game, it is here already, or the store cannot be written.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub fn import<G: Game>(
        self,
        log: &Path,
        appraised: impl FnOnce(Hill<G>, Option<StartValue>) -> Hill<G>,
    ) -> Result<ImportedRun, FileError> {
        let games = LogGames::open(log, BrokenEnd::LeaveOut)?;
        self.check_import(log, &games)?;
        let hill = games.header().inert_hill::<G>(log)?;
        let hill = appraised(hill, games.header().start_value);
        let source = RecordedRun::Log { path: log.to_owned(), games: Box::new(games) };
        let keeps_moves = check_run(&source, hill)?;
        let RecordedRun::<()>::Log { games, .. } = source else { unreachable!("it is a log") };
        self.import_games::<G>(log, &games, keeps_moves)
    }

    fn check_import(&self, log: &Path, games: &LogGames) -> Result<(), FileError> {
        let (game, hill) = (games.header().hill.game, self.hill().game);
        if game != hill {
            return Err(FileError::new(log, format!("a run of {game}; this is a hill of {hill}")));
        }
        let sql = "SELECT id FROM run WHERE header = ?1 AND result IS ?2";
        let same = self
            .database
            .query_row(sql, params![games.header().line, games.result()], |row| row.get(0))
            .optional();
        let same: Option<i64> = same.map_err(self.named())?;
        same.map_or(Ok(()), |run| Err(FileError::new(log, format!("is here already: run {run}"))))
    }

    fn import_games<G: Game>(
        self,
        log: &Path,
        games: &LogGames,
        keeps_moves: bool,
    ) -> Result<ImportedRun, FileError> {
        let mut import = Import::<G> {
            log,
            header: games.header(),
            rules: games.header().hill.terms::<G>(log)?.rules,
            chance: Chance::new(&games.header().seed),
            keeps_moves,
            writer: self.begin_import(keeps_moves)?,
        };
        games.each_line(|number, line| import.take(number, line))?;
        let stored = import.writer.flush();
        stored.map_err(|error| FileError::new(log, error))?;
        Ok(ImportedRun { run: import.writer.run(), keeps_moves })
    }
}

/// A run that was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportedRun {
    /// Its number in the hill.
    pub run: i64,
    /// Whether the log has the moves of its games. Without them its scores could not be recomputed.
    pub keeps_moves: bool,
}

/// Recomputes the run of a log; says whether it has the moves of its games.
fn check_run<G: Game>(source: &RecordedRun<()>, hill: Hill<G>) -> Result<bool, FileError> {
    let RecordedRun::Log { path, games } = source else { return Ok(true) };
    let check = RunCheck::new(source, hill);
    let keeps_moves = keeps_moves(path, games)?;
    if !keeps_moves && games.result().is_none() {
        let message = "neither has the moves of its games nor came to its end";
        return Err(FileError::new(path, message));
    }
    let check = if keeps_moves { check } else { check.without_moves() };
    check.refuse_altered()?;
    Ok(keeps_moves)
}

/// Whether the games that count have their moves, as the first of them tells.
fn keeps_moves(log: &Path, games: &LogGames) -> Result<bool, FileError> {
    let Some(line) = games.line(1).map_err(|error| FileError::new(log, error))? else {
        return Ok(true);
    };
    let first = GameLine::read(&line).map_err(|why| FileError::new(log, why))?;
    Ok(first.moves.is_some())
}

/// A log on its way into a store.
struct Import<'a, G: Game> {
    log: &'a Path,
    header: &'a LogHeader,
    rules: G::Rules,
    chance: Chance,
    keeps_moves: bool,
    writer: Writer,
}

impl<G: Game> Import<'_, G> {
    fn take(&mut self, number: usize, line: String) -> Result<(), FileError> {
        let refused = |why: String| FileError::at(self.log, number, why);
        let written = match LogLine::read(line).map_err(refused)? {
            LogLine::Header => self.writer.start_as(self.header),
            LogLine::Game { game, line } => {
                let failures = self.failures(&line).map_err(refused)?;
                self.writer.import(game, &line, &failures)
            }
            LogLine::Barred(bar) => self.writer.barred(&bar),
            LogLine::Sealed(_) => Ok(()),
            LogLine::Result(document) => self.writer.ended(&document),
        };
        written.map_err(|error: io::Error| FileError::at(self.log, number, error))
    }

    /// The failures of a game, with the requests that were answered so.
    fn failures(&self, line: &str) -> Result<Vec<Offence>, String> {
        if !self.keeps_moves {
            return Ok(Vec::new());
        }
        let replay = read_game_line::<G>(line, self.rules, &self.chance)
            .map_err(|error| error.to_string())?;
        if replay.moves.iter().all(|one| matches!(one, Move::Acted(_))) {
            return Ok(Vec::new());
        }
        let mut play = replay.begin(self.rules, &self.chance);
        replay.moves.iter().for_each(|one| play.repeat(one));
        Ok(play.offences().to_vec())
    }
}
