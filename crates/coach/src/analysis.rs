//! The games of a run, summed for each player.

use std::collections::HashMap;

/// A recorded game with the losses of its decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedGame<Seat> {
    /// The number of the game in its run.
    pub game: u64,
    /// The table, which determines the dice. Games at one table share their dice.
    pub table: u64,
    /// The appraised players, in the order of seats.
    pub seats: Vec<Seat>,
}

/// Sums over the games of one player, in constant memory.
pub trait Tally: Default {
    /// A player in a game with the losses of its decisions.
    type Seat;
    /// The result over all games.
    type Report;

    /// The name of the player.
    fn name(seat: &Self::Seat) -> &str;

    /// Adds a game. Games come in the order of their numbers. Consecutive games at one table are
    /// one block, which is one sample for standard errors.
    fn add(&mut self, game: u64, table: u64, seat: &Self::Seat);

    /// The number of games added.
    fn games(&self) -> u64;

    /// The report of the player with this name.
    fn report(self, name: String) -> Self::Report;
}

/// Sums over the games of a run for each player, in constant memory.
pub struct Analysis<T> {
    names: Vec<String>,
    tallies: Vec<T>,
    indices: HashMap<String, usize>,
}

impl<T: Tally> Analysis<T> {
    /// An analysis of the games of these players.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        let tallies = names.iter().map(|_| T::default()).collect();
        let indices = names.iter().cloned().zip(0..).collect();
        Self { names, tallies, indices }
    }

    /// Adds a game. Games come in the order of their numbers, and consecutive games at one table
    /// are one sample. Players that were not named are ignored.
    pub fn add(&mut self, game: &AppraisedGame<T::Seat>) {
        for seat in &game.seats {
            if let Some(index) = self.indices.get(T::name(seat)) {
                self.tallies[*index].add(game.game, game.table, seat);
            }
        }
    }

    /// The reports of the players with games, in the order in which they were named.
    #[must_use]
    pub fn reports(self) -> Vec<T::Report> {
        let players = self.names.into_iter().zip(self.tallies);
        let played = players.filter(|(_, tally)| tally.games() > 0);
        played.map(|(name, tally)| tally.report(name)).collect()
    }
}
