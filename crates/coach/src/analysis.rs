//! The games of a run, summed up for each player.

use std::collections::HashMap;

/// A game with what its decisions lost.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedGame<Seat> {
    /// The number of the game.
    pub game: u64,
    /// The table whose dice were used.
    pub table: u64,
    /// The players that are looked at, by seat.
    pub seats: Vec<Seat>,
}

/// The sums over the games of one player. They take no more room for more games.
pub trait Tally: Default {
    /// A player in a game with what its decisions lost.
    type Seat;
    /// What all games show.
    type Report;

    /// Who sits there.
    fn name(seat: &Self::Seat) -> &str;

    /// Adds a game. Games come in the order of their numbers; those of a table that follow one another are a block, one
    /// sample.
    fn add(&mut self, game: u64, table: u64, seat: &Self::Seat);

    /// How many games were added.
    fn games(&self) -> u64;

    /// What they show of the player of this name.
    fn report(self, name: String) -> Self::Report;
}

/// The sums over the games of a run, for each player. They take no more room for more games.
pub struct Analysis<T> {
    names: Vec<String>,
    tallies: Vec<T>,
    places: HashMap<String, usize>,
}

impl<T: Tally> Analysis<T> {
    /// An analysis of these players' games.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        let tallies = names.iter().map(|_| T::default()).collect();
        let places = names.iter().cloned().zip(0..).collect();
        Self { names, tallies, places }
    }

    /// Adds a game. Games come in the order of their numbers; those of a table that follow one another are one
    /// sample. Players that were not named are left out.
    pub fn add(&mut self, game: &AppraisedGame<T::Seat>) {
        for seat in &game.seats {
            if let Some(place) = self.places.get(T::name(seat)) {
                self.tallies[*place].add(game.game, game.table, seat);
            }
        }
    }

    /// What came of it for those that have games, in the order in which the players were named.
    #[must_use]
    pub fn reports(self) -> Vec<T::Report> {
        let players = self.names.into_iter().zip(self.tallies);
        let played = players.filter(|(_, tally)| tally.games() > 0);
        played.map(|(name, tally)| tally.report(name)).collect()
    }
}
