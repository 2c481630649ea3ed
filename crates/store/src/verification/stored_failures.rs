//! The failures in a store against those in the lines and the replays of its games.

use std::collections::BTreeMap;

use super::discrepancy::Discrepancy;
use crate::{FailureLine, GameLine, StoredFailure};

/// The failures of an attempt in a store, which are compared with one game after another.
pub(super) struct StoredFailures {
    /// Those of games that were not compared yet, by game; `None` of a log, which has none besides its games.
    by_game: Option<BTreeMap<u64, Vec<StoredFailure>>>,
    problems: Vec<Discrepancy>,
}

impl StoredFailures {
    pub(super) fn new(stored: Option<Vec<StoredFailure>>) -> Self {
        let by_game = stored.map(|stored| {
            let mut by_game: BTreeMap<u64, Vec<StoredFailure>> = BTreeMap::new();
            stored.into_iter().for_each(|one| by_game.entry(one.game).or_default().push(one));
            by_game
        });
        Self { by_game, problems: Vec::new() }
    }

    /// Whether there is something to compare in this game, whose line has failures or not.
    pub(super) fn has_failures(&self, game: u64, line_has: bool) -> bool {
        self.by_game.as_ref().is_some_and(|by_game| line_has || by_game.contains_key(&game))
    }

    /// Compares the failures of a game. `requests` are those of each failure, in the forms of several versions; none if the
    /// moves of the game were not kept.
    pub(super) fn compare(&mut self, line: &GameLine, requests: &[Vec<String>]) {
        let game = line.game;
        let stored = self.by_game.as_mut().and_then(|by_game| by_game.remove(&game));
        let stored = stored.unwrap_or_default();
        let bot = |failure: &FailureLine| line.seats.get(failure.seat).map_or("", String::as_str);
        for (index, row) in stored.iter().enumerate() {
            let is_same = |failure: &&FailureLine| {
                bot(failure) == row.bot
                    && failure.reason == row.reason
                    && failure.detail == row.detail
            };
            if line.failures.get(index).filter(is_same).is_none() {
                self.problems.push(surplus(row));
            } else if !requests.is_empty()
                && !requests.iter().any(|of_version| of_version.get(index) == Some(&row.request))
            {
                let StoredFailure { bot, .. } = row;
                let text = format!("the request on which {bot} failed in game {game} is another");
                self.problems.push(Discrepancy::new(text));
            }
        }
        for failure in line.failures.iter().skip(stored.len()) {
            let (bot, reason) = (bot(failure), &failure.reason);
            let text = format!("the failure of {bot} in game {game} is missing: {reason}");
            self.problems.push(Discrepancy::new(text));
        }
    }

    /// All problems. What was not compared is of games that the attempt does not have.
    pub(super) fn end(self) -> Vec<Discrepancy> {
        let Self { by_game, mut problems } = self;
        problems.extend(by_game.unwrap_or_default().values().flatten().map(surplus));
        problems
    }
}

/// A failure of which its game knows nothing.
pub(super) fn surplus(failure: &StoredFailure) -> Discrepancy {
    let StoredFailure { game, bot, reason, .. } = failure;
    Discrepancy::new(format!("game {game} has no such failure of {bot}: {reason}"))
}
