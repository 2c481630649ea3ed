//! A recorded run of a game, gone through for an export.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{Replay, read_game_line};
use dicehill_rules::Chance;
use dicehill_store::{FileError, GameLine, RunSource, StoredGame};

use super::exported_game::ExportedGame;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::ExportProgress;

/// Why an export is not done.
pub(crate) enum Unfinished {
    Interrupted,
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Unfinished {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A recorded run.
pub(crate) struct Recorded<'a, G: ExportedGame> {
    pub(crate) source: &'a RunSource,
    pub(crate) rules: G::Rules,
    pub(crate) chance: Chance,
    pub(crate) console: &'a Console,
    stop: Arc<AtomicBool>,
}

impl<'a, G: ExportedGame> Recorded<'a, G> {
    pub(crate) fn new(source: &'a RunSource, console: &'a Console) -> Result<Self, Failure> {
        let header = source.header();
        let rules = &header.hill.rules;
        let unknown = || format!("rules = {rules:?}: unknown for {}", G::NAME);
        let rules = G::rules_named(rules).ok_or_else(|| source.error(Some(1), unknown()))?;
        let chance = Chance::new(&header.seed);
        Ok(Self { source, rules, chance, console, stop: interrupt::stop_flag(console)? })
    }

    /// Whether games can be played again by their moves, as the first of them tells.
    pub(crate) fn keeps_moves(&self) -> Result<bool, Failure> {
        let Some(line) = self.source.games().line(1)? else { return Ok(true) };
        let first = GameLine::read(&line).map_err(|why| self.source.error(None, why))?;
        Ok(first.moves.is_some())
    }

    /// Whether its games say what decisions cost.
    pub(crate) const fn is_appraised(&self) -> bool {
        self.source.header().start_value.is_some()
    }

    /// Each game that counts, in order, until somebody interrupts it.
    pub(crate) fn each_game(
        &self,
        mut each: impl FnMut(StoredGame) -> Result<(), Unfinished>,
    ) -> Result<(), Unfinished> {
        let mut progress = ExportProgress::new(self.source.count(), self.console);
        let done = self.source.each_game(|game| {
            progress.advance();
            self.go_on()?;
            each(game)
        });
        progress.clear();
        done
    }

    /// Each line of the run's log, until somebody interrupts it.
    pub(crate) fn each_log_line(
        &self,
        mut each: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(), Unfinished> {
        self.source.each_log_line(|line| {
            self.go_on()?;
            Ok(each(line)?)
        })
    }

    pub(crate) fn go_on(&self) -> Result<(), Unfinished> {
        if self.stop.load(Ordering::Relaxed) { Err(Unfinished::Interrupted) } else { Ok(()) }
    }

    /// What came of a game.
    pub(crate) fn outcome(&self, game: &StoredGame) -> Result<GameLine, FileError> {
        GameLine::read(&game.line).map_err(|why| self.source.error(game.number, why))
    }

    /// A game with its moves, checked against the rules and the dice.
    pub(crate) fn replay(&self, game: &StoredGame) -> Result<Replay<G>, FileError> {
        read_game_line(&game.line, self.rules, &self.chance)
            .map_err(|error| self.source.error(game.number, error))
    }
}
