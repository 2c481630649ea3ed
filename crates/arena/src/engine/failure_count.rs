//! Counts the failures of entrants, and says when the rule of the challenge bars one.

use dicehill_rules::Game;

use crate::{Barring, EntrantId, Hill, Reason, Schedule};

/// The failures of each entrant's program since the last bar, in the order of games.
pub struct FailureCount<'a, G: Game> {
    hill: &'a Hill<G>,
    schedule: &'a Schedule<'a, G>,
    /// By entrant.
    failures: Vec<u64>,
    /// Games that each entrant is scheduled for, by entrant, once counted.
    scheduled: Vec<Option<u64>>,
}

impl<'a, G: Game> FailureCount<'a, G> {
    /// A count from the first game of the schedule.
    #[must_use]
    pub fn new(hill: &'a Hill<G>, schedule: &'a Schedule<'a, G>) -> Self {
        let entrants = hill.entrants().len();
        Self { hill, schedule, failures: vec![0; entrants], scheduled: vec![None; entrants] }
    }

    /// Counts a failure for this reason.
    ///
    /// # Panics
    /// If there is no such entrant.
    pub fn add(&mut self, entrant: EntrantId, reason: Reason) {
        self.failures[entrant.index()] += u64::from(reason.is_process_failure());
    }

    /// Counts a failure for this reason, and says whether it bars the entrant.
    ///
    /// # Panics
    /// If there is no such entrant.
    pub fn is_barred_by(&mut self, entrant: EntrantId, reason: Reason) -> bool {
        self.add(entrant, reason);
        match self.hill.challenge().barring {
            _ if reason == Reason::Absent => true,
            Barring::FirstOffence => true,
            Barring::Failures { .. } if !reason.is_process_failure() => false,
            Barring::Failures { more_than, percent } => {
                let failures = self.failures[entrant.index()];
                failures > more_than && 100 * failures > percent * self.games_of(entrant)
            }
        }
    }

    /// How many failures of the entrant's program were counted.
    ///
    /// # Panics
    /// If there is no such entrant.
    #[must_use]
    pub fn of(&self, entrant: EntrantId) -> u64 {
        self.failures[entrant.index()]
    }

    /// How many games an entrant is scheduled for, counted once because that takes a look at each game.
    fn games_of(&mut self, id: EntrantId) -> u64 {
        *self.scheduled[id.index()].get_or_insert_with(|| self.schedule.games_of(id))
    }
}
