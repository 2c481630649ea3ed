//! A run log is taken into a store: the same records, as a run of the hill.

use std::io;
use std::path::Path;

use dicehill_arena::{Move, Offence, Recall, read_game_line};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, GameName};
use rusqlite::{OptionalExtension, params};

use super::HillStore;
use super::run_writer::Writer;
use crate::log_games::LogLine;
use crate::{BrokenEnd, FileError, GameLine, LogGames, LogHeader};

impl HillStore {
    /// Takes the run of a log in, as the next of the hill, and says which number it has. Every game is played
    /// again by its moves, as far as the log has them. All of it is stored, or nothing.
    ///
    /// # Errors
    /// If the log is damaged, its moves do not lead to its results, it is of another game, it is here
    /// already, or the store cannot be written.
    ///
    /// # Panics
    /// If the store was not opened to write.
    pub fn import(self, log: &Path) -> Result<i64, FileError> {
        let games = LogGames::open(log, BrokenEnd::LeaveOut)?;
        self.check_import(log, &games)?;
        match self.hill().game {
            GameName::Yahtzee => self.import_games::<Yahtzee>(log, &games),
            GameName::LiarsDice => self.import_games::<LiarsDice>(log, &games),
        }
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

    fn import_games<G: Game>(self, log: &Path, games: &LogGames) -> Result<i64, FileError> {
        let rules = games.header().hill.terms::<G>(log)?.rules;
        let keeps_moves = keeps_moves(log, games)?;
        if !keeps_moves && games.result().is_none() {
            let message = "neither has the moves of its games nor came to its end";
            return Err(FileError::new(log, message));
        }
        let mut import = Import::<G> {
            log,
            header: games.header(),
            rules,
            chance: Chance::new(&games.header().seed),
            keeps_moves,
            writer: self.begin_import(keeps_moves)?,
        };
        games.each_line(|number, line| import.take(number, line))?;
        let stored = import.writer.flush();
        stored.map_err(|error| FileError::new(log, error))?;
        Ok(import.writer.run())
    }
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

    /// Checks a game and gives its failures, with what whoever failed was shown.
    fn failures(&self, line: &str) -> Result<Vec<Offence>, String> {
        let GameLine { seats, .. } = GameLine::read(line)?;
        let is_named = |name: &String| self.header.bots.iter().any(|bot| bot.name.as_str() == name);
        if let Some(stranger) = seats.iter().find(|name| !is_named(name)) {
            return Err(format!("bot {stranger:?} plays, and the header does not name it"));
        }
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
