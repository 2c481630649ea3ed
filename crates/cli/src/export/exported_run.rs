//! A recorded run as it is read for an export.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dicehill_arena::{Replay, read_game_line};
use dicehill_rules::Chance;
use dicehill_store::{FileError, GameLine, RunSource, StoredGame};

use super::exported_game::ExportedGame;
use crate::console::Console;
use crate::console::interrupt;
use crate::console::progress::ExportProgress;
use crate::failure::Failure;

/// Why an export was not completed.
pub(crate) enum Unfinished {
    Interrupted,
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Unfinished {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A recorded run that is exported.
pub(crate) struct ExportedRun<'a, G: ExportedGame> {
    pub(crate) source: &'a RunSource,
    pub(crate) rules: G::Rules,
    pub(crate) chance: Chance,
    pub(crate) console: &'a Console,
    stop: Arc<AtomicBool>,
}

impl<'a, G: ExportedGame> ExportedRun<'a, G> {
    pub(crate) fn new(source: &'a RunSource, console: &'a Console) -> Result<Self, Failure> {
        let header = source.header();
        let rules = &header.hill.terms.rules;
        let unknown = || format!("rules = {rules:?}: unknown for {}", G::NAME);
        let rules = G::rules_named(rules).ok_or_else(|| source.error(Some(1), unknown()))?;
        let chance = Chance::new(&header.seed);
        Ok(Self { source, rules, chance, console, stop: interrupt::stop_flag(console)? })
    }

    /// Whether the run keeps the moves of its games. The first game is looked at.
    pub(crate) fn keeps_moves(&self) -> Result<bool, Failure> {
        let Some(line) = self.source.games().line(1)? else { return Ok(true) };
        let first = GameLine::read(&line).map_err(|why| self.source.error(None, why))?;
        Ok(first.moves.is_some())
    }

    /// Whether the run has losses and luck.
    pub(crate) fn is_appraised(&self) -> bool {
        self.source.header().start_value.is_some()
    }

    /// Calls `each` for every game that counts, in order, until the user interrupts it.
    pub(crate) fn each_game(
        &self,
        mut each: impl FnMut(StoredGame) -> Result<(), Unfinished>,
    ) -> Result<(), Unfinished> {
        let mut progress = ExportProgress::new(self.source.count(), self.console);
        let done = self.source.each_game(|game| {
            progress.advance();
            self.check_interrupt()?;
            each(game)
        });
        progress.clear();
        done
    }

    /// Calls `each` for every line of the run's log, until the user interrupts it.
    pub(crate) fn each_log_line(
        &self,
        mut each: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<(), Unfinished> {
        self.source.each_log_line(|line| {
            self.check_interrupt()?;
            Ok(each(line)?)
        })
    }

    /// An error once the user has interrupted the export.
    pub(crate) fn check_interrupt(&self) -> Result<(), Unfinished> {
        if self.stop.load(Ordering::Relaxed) { Err(Unfinished::Interrupted) } else { Ok(()) }
    }

    /// The outcome of a game.
    pub(crate) fn outcome(&self, game: &StoredGame) -> Result<GameLine, FileError> {
        GameLine::read(&game.line).map_err(|why| self.source.error(game.number, why))
    }

    /// A game with its moves, checked against the rules and the dice.
    pub(crate) fn replay(&self, game: &StoredGame) -> Result<Replay<G>, FileError> {
        read_game_line(&game.line, self.rules, &self.chance)
            .map_err(|error| self.source.error(game.number, error))
    }
}
