//! Single games and lists of games of a stored run, read without reading the others.

use std::ops::ControlFlow;
use std::path::Path;

use dicehill_arena::thousands;
use dicehill_store::{FileError, GameLine, GameOrder, HillStore, StoredRun};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Hills, no_run};
use crate::Problem;
use crate::model::games::{GameRow, GamesDocument};
use crate::model::replay::{ReplayDocument, RunOfGame};
use crate::requests::run_blocking;

/// The most games of a list.
const PAGE_GAMES: usize = 50;
/// The most games that are searched for those of one bot.
const MAX_SEARCHED_GAMES: u64 = 20_000;

/// Which games to list.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GamesQuery {
    /// Only those in which this bot plays.
    pub(crate) bot: Option<String>,
    /// From the game with this number on.
    pub(crate) from: Option<u64>,
    /// The last ones before the game with this number.
    pub(crate) before: Option<u64>,
}

/// The games of a stored run.
pub(crate) struct RecordedGames {
    store: HillStore,
    run: StoredRun,
    count: u64,
}

impl RecordedGames {
    /// Opens the store at `path`.
    ///
    /// # Errors
    /// If there is no such run, or it cannot be read.
    pub(crate) fn open(path: &Path, run: i64) -> Result<Self, Problem> {
        let store = HillStore::open(path)?;
        let run = store.find_run(run)?.ok_or_else(|| no_run(&store, run))?;
        let count = store.count_games(run.run)?;
        Ok(Self { store, run, count })
    }

    /// The number of games that count.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// A game with its first moves, `most` at most.
    ///
    /// # Errors
    /// If there is no such game, or it was altered.
    pub(crate) fn replay(&self, game: u64, most: usize) -> Result<ReplayDocument, Problem> {
        let none = || {
            Problem::NotFound(format!(
                "this run has no game {game}: it has {} games",
                thousands(self.count)
            ))
        };
        let line = self.store.game_line(self.run.run, game)?.ok_or_else(none)?;
        self.read(game, &line, most)
    }

    /// The game in which bar `number` occurred, from 1. That game does not count.
    ///
    /// # Errors
    /// If there is no such bar, or its game can no longer be shown.
    pub(crate) fn barred(&self, number: usize, most: usize) -> Result<ReplayDocument, Problem> {
        let bar = number.checked_sub(1).and_then(|index| self.run.bars.get(index));
        let none = || Problem::NotFound(format!("this run has no bar {number} in a game"));
        let bar = bar.filter(|bar| bar.game > 0).ok_or_else(none)?;
        self.read(bar.game, &bar.record, most)
    }

    fn read(&self, game: u64, line: &str, most: usize) -> Result<ReplayDocument, Problem> {
        let run = RunOfGame {
            header: &self.run.header,
            number: Some(self.run.run),
            has_ended: self.run.result.is_some(),
        };
        ReplayDocument::read(run, line, most).map_err(|error| self.damaged(game, &error).into())
    }

    /// The bot that was barred by bar `number`, from 1.
    pub(crate) fn barred_bot(&self, number: usize) -> Option<&str> {
        let bar = self.run.bars.get(number.checked_sub(1)?)?;
        Some(&bar.bot)
    }

    /// The games that match a query.
    ///
    /// # Errors
    /// If no bot of that name plays, or the games cannot be read.
    pub(crate) fn list(&self, query: &GamesQuery) -> Result<GamesDocument, Problem> {
        if let Some(bot) = query.bot.as_deref().filter(|bot| !self.plays(bot)) {
            return Err(Problem::NotFound(format!("no bot named {bot:?} plays in this run")));
        }
        let mut document = GamesDocument {
            name: self.run.header.hill.terms.name.clone(),
            run: self.run.run,
            count: self.count,
            keeps_moves: self.run.keeps_moves,
            bot: query.bot.clone(),
            ..GamesDocument::default()
        };
        match query.before {
            Some(before) => self.list_down(before, &mut document)?,
            None => self.list_up(query.from.unwrap_or(1).max(1), &mut document)?,
        }
        Ok(document)
    }

    fn plays(&self, bot: &str) -> bool {
        self.run.header.bots.iter().any(|one| one.name.as_str() == bot)
    }

    fn list_up(&self, from: u64, document: &mut GamesDocument) -> Result<(), FileError> {
        let seen = self.collect(from, GameOrder::Up, document)?;
        document.before = Some(from.min(self.count + 1)).filter(|before| *before > 1);
        document.from = seen.map(|last| last + 1).filter(|from| *from <= self.count);
        Ok(())
    }

    fn list_down(&self, before: u64, document: &mut GamesDocument) -> Result<(), FileError> {
        let last = before.min(self.count + 1).saturating_sub(1);
        let seen = self.collect(last, GameOrder::Down, document)?;
        document.games.reverse();
        document.before = seen.filter(|first| *first > 1);
        document.from = Some(last + 1).filter(|from| *from <= self.count);
        Ok(())
    }

    /// Collects a page of games; returns the last game that was read.
    fn collect(
        &self,
        from: u64,
        direction: GameOrder,
        document: &mut GamesDocument,
    ) -> Result<Option<u64>, FileError> {
        let bot = document.bot.clone();
        let quoted = bot.as_ref().and_then(|bot| serde_json::to_string(bot).ok());
        let mut seen = None;
        let mut damaged = None;
        self.store.each_game_from(self.run.run, from, direction, |game, line| {
            seen = Some(game);
            // Most games without the bot are skipped without parsing their line.
            if quoted.as_ref().is_none_or(|quoted| line.contains(quoted)) {
                match GameLine::read(line) {
                    Err(why) => damaged = Some(self.damaged(game, &why)),
                    Ok(line) if bot.as_ref().is_none_or(|bot| line.seats.contains(bot)) => {
                        document.games.push(GameRow::of(&self.run.header, line));
                    }
                    Ok(_) => {}
                }
            }
            let is_enough =
                document.games.len() == PAGE_GAMES || game.abs_diff(from) >= MAX_SEARCHED_GAMES;
            if damaged.is_some() || is_enough {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        damaged.map_or(Ok(seen), Err)
    }

    fn damaged(&self, game: u64, why: &dyn std::fmt::Display) -> FileError {
        let message = format!("run {}: game {game}: {why}", self.run.run);
        FileError::new(self.store.path(), message)
    }
}

/// The games of a run that match a query.
///
/// # Errors
/// If there is no such hill, run or bot, or the store cannot be read.
pub(crate) async fn list_games(
    hills: &Hills,
    hill: &str,
    run: i64,
    query: GamesQuery,
) -> Result<GamesDocument, Problem> {
    let path = hills.named(hill)?.path_of(run)?;
    run_blocking(move || RecordedGames::open(&path, run)?.list(&query)).await
}

/// A game with all its moves.
///
/// # Errors
/// If there is no such hill, run or game, or the store cannot be read.
pub(crate) async fn replay_game(
    hills: &Hills,
    hill: &str,
    run: i64,
    game: u64,
) -> Result<ReplayDocument, Problem> {
    let path = hills.named(hill)?.path_of(run)?;
    run_blocking(move || RecordedGames::open(&path, run)?.replay(game, usize::MAX)).await
}

/// The game in which a bar occurred, with all its moves.
///
/// # Errors
/// If there is no such hill, run or bar, or the store cannot be read.
pub(crate) async fn replay_bar(
    hills: &Hills,
    hill: &str,
    run: i64,
    number: usize,
) -> Result<ReplayDocument, Problem> {
    let path = hills.named(hill)?.path_of(run)?;
    run_blocking(move || RecordedGames::open(&path, run)?.barred(number, usize::MAX)).await
}
