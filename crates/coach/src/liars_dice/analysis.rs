//! The games of a run, summed up for each player.

use std::collections::HashMap;

use super::tally::Tally;
use super::{AppraisedGame, BotReport};

/// The sums over the games of a run, for each player. They take no more room for more games.
pub struct Analysis {
    names: Vec<String>,
    tallies: Vec<Tally>,
    places: HashMap<String, usize>,
}

impl Analysis {
    /// An analysis of these players' games.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        let tallies = names.iter().map(|_| Tally::default()).collect();
        let places = names.iter().cloned().zip(0..).collect();
        Self { names, tallies, places }
    }

    /// Adds a game. Games come in the order of their numbers; those of a table that follow one another are one
    /// sample. Players that were not named are left out.
    pub fn add(&mut self, game: &AppraisedGame) {
        for seat in &game.seats {
            if let Some(place) = self.places.get(&seat.name) {
                self.tallies[*place].add(game.game, game.table, seat);
            }
        }
    }

    /// What came of it, in the order in which the players were named.
    #[must_use]
    pub fn reports(self) -> Vec<BotReport> {
        self.names.into_iter().zip(self.tallies).map(|(name, tally)| tally.report(name)).collect()
    }
}
