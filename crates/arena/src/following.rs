//! A run followed from outside: how it stands, by the records of its games.

use dicehill_rules::Game;

use crate::recall::Recalled;
use crate::{Bar, EntrantId, Fixture, Hill, Ledger, ReadRecordError, ResultDocument, Schedule};

/// The board of a run that somebody else plays, or has played, by the lines of its games in their order.
///
/// Nobody has to be able to play: [`crate::StandIn`]s will do.
pub struct Following<'a, G: Game> {
    hill: &'a Hill<G>,
    schedule: &'a Schedule<'a, G>,
    ledger: Ledger,
}

/// Why a line is not that of the game that comes next.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// It is no record.
    #[error("game {game}: {why}")]
    Unreadable {
        /// The game that comes next.
        game: u64,
        /// What is wrong with the line.
        why: ReadRecordError,
    },
    /// It is another game's.
    #[error("game {0} is missing, or another game is in its place")]
    AnotherGame(u64),
}

impl<'a, G: Game> Following<'a, G> {
    /// Before the first game of those whom `schedule` has.
    #[must_use]
    pub fn new(hill: &'a Hill<G>, schedule: &'a Schedule<'a, G>) -> Self {
        Self { hill, schedule, ledger: Ledger::new(schedule) }
    }

    /// How many games were taken, those that played off a tie among them.
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
    pub fn take(&mut self, line: String) -> Result<Recalled, FollowError> {
        let game = self.games() + 1;
        let fixture = self.fixture(game, &line).ok_or(FollowError::AnotherGame(game))?;
        let recalled = Recalled::read(self.hill, fixture, line)
            .map_err(|why| FollowError::Unreadable { game, why })?
            .ok_or(FollowError::AnotherGame(game))?;
        let Recalled { fixture, results, appraisals, .. } = &recalled;
        if game > self.schedule.games() {
            self.ledger.add_play_off(fixture, results);
        } else {
            self.ledger.add(self.schedule, fixture, results, appraisals);
        }
        Ok(recalled)
    }

    fn fixture(&self, game: u64, line: &str) -> Option<Fixture> {
        if game > self.schedule.games() {
            let tied = self.ledger.leaders(self.schedule.active());
            return Some(self.schedule.play_off(game, &tied));
        }
        let begins_block = (game - 1).is_multiple_of(self.hill.format().games_per_block());
        if self.hill.strengths().is_some() && begins_block {
            self.schedule.choose(self.pairing_in(line)?);
        }
        Some(self.schedule.fixture(game))
    }

    /// Which pairing plays, where a placement chooses it.
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

    /// How the run stands. The hash over its records is left empty.
    #[must_use]
    pub fn document(&self, bars: &[Bar]) -> ResultDocument {
        ResultDocument::new(self.hill, &self.ledger, self.schedule.active(), bars, String::new())
    }
}
