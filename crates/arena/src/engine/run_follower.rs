//! Follows a run by the lines of its games.

use dicehill_rules::Game;

use crate::{
    Bar, EntrantId, Fixture, Hill, Ledger, ReadRecordError, RecordedGame, ResultDocument, Schedule,
};

/// The board of a run that is played elsewhere, or was played before, from the lines of its games in their order.
///
/// The entrants do not have to be able to play: [`crate::InertBot`]s will do.
pub struct RunFollower<'a, G: Game> {
    hill: &'a Hill<G>,
    schedule: &'a Schedule<'a, G>,
    ledger: Ledger,
    /// The pairing of the current block, where a placement chooses it.
    pairing: usize,
}

/// Why a line is not that of the next game.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// It cannot be read.
    #[error("game {game}: {why}")]
    Unreadable {
        /// The next game.
        game: u64,
        /// What is wrong with the line.
        why: ReadRecordError,
    },
    /// It is the line of another game.
    #[error("game {0} is missing or was replaced by another game")]
    AnotherGame(u64),
}

impl<'a, G: Game> RunFollower<'a, G> {
    /// Starts before the first game of `schedule`.
    #[must_use]
    pub fn new(hill: &'a Hill<G>, schedule: &'a Schedule<'a, G>) -> Self {
        Self { hill, schedule, ledger: Ledger::new(schedule), pairing: 0 }
    }

    /// The number of games so far, play-offs included.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.ledger.games() + self.ledger.play_offs()
    }

    /// The sums so far.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Takes the line of the next game.
    ///
    /// # Errors
    /// If it is not that.
    pub fn take(&mut self, line: String) -> Result<RecordedGame, FollowError> {
        let game = self.games() + 1;
        let fixture = self.fixture(game, &line).ok_or(FollowError::AnotherGame(game))?;
        let recorded = RecordedGame::read(self.hill, fixture, line)
            .map_err(|why| FollowError::Unreadable { game, why })?
            .ok_or(FollowError::AnotherGame(game))?;
        let RecordedGame { fixture, results, appraisals, .. } = &recorded;
        if game > self.schedule.games() {
            self.ledger.add_play_off(fixture, results);
        } else {
            self.ledger.add(self.schedule, fixture, results, appraisals);
        }
        Ok(recorded)
    }

    fn fixture(&mut self, game: u64, line: &str) -> Option<Fixture> {
        if game > self.schedule.games() {
            let tied = self.ledger.leaders(self.schedule.active());
            return Some(self.schedule.play_off(game, &tied));
        }
        if self.hill.strengths().is_none() {
            return Some(self.schedule.fixture(game));
        }
        if (game - 1).is_multiple_of(self.hill.format().games_per_block()) {
            self.pairing = self.pairing_in(line)?;
        }
        Some(self.schedule.placement_fixture(game, self.pairing))
    }

    /// The pairing that plays, where a placement chooses it.
    fn pairing_in(&self, line: &str) -> Option<usize> {
        #[derive(serde::Deserialize)]
        struct Seats {
            seats: Vec<String>,
        }
        let Seats { seats } = serde_json::from_str(line).ok()?;
        let sits = |id: &EntrantId| seats.iter().any(|name| name == self.hill.name_of(*id));
        let plays =
            |members: &Vec<EntrantId>| members.len() == seats.len() && members.iter().all(sits);
        self.schedule.pairings().iter().position(plays)
    }

    /// The standings so far. The hash over the records is left empty.
    #[must_use]
    pub fn document(&self, bars: &[Bar]) -> ResultDocument {
        ResultDocument::new(self.hill, &self.ledger, self.schedule.active(), bars, String::new())
    }
}
