//! The games of a run, summed for each player.

use std::collections::HashMap;

use dicehill_arena::FormatName;

/// A recorded game with the losses of its decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedGame<Seat> {
    /// The number of the game in its run.
    pub game: u64,
    /// The table, which determines the dice. Games at one table share their dice.
    pub table: u64,
    /// The names of all players at the table, in the order of seats.
    pub players: Vec<String>,
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
    /// one block, which is one sample for standard errors. Blocks of one `stratum`, from 0, are
    /// compared with each other alone.
    fn add(&mut self, game: u64, table: u64, stratum: usize, seat: &Self::Seat);

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
    /// The pairings of each player by the players at the table; `None` if all games are one stratum.
    pairings: Option<Vec<HashMap<Vec<String>, usize>>>,
}

impl<T: Tally> Analysis<T> {
    /// An analysis of the games of these players.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        let tallies = names.iter().map(|_| T::default()).collect();
        let indices = names.iter().cloned().zip(0..).collect();
        Self { names, tallies, indices, pairings: None }
    }

    /// The same analysis for games of a run in this format. In a duel and a gauntlet each pairing of
    /// a player is a stratum, so that standard errors are those of the run's board.
    #[must_use]
    pub fn in_format(self, format: FormatName) -> Self {
        let pairings = match format {
            FormatName::Challenge => None,
            FormatName::Duel | FormatName::Gauntlet => {
                Some(self.names.iter().map(|_| HashMap::new()).collect())
            }
        };
        Self { pairings, ..self }
    }

    /// Adds a game. Games come in the order of their numbers, and consecutive games at one table
    /// are one sample. Players that were not named are ignored.
    pub fn add(&mut self, game: &AppraisedGame<T::Seat>) {
        for seat in &game.seats {
            let Some(index) = self.indices.get(T::name(seat)) else { continue };
            let stratum = self.pairings.as_mut().map_or(0, |pairings| {
                let mut players = game.players.clone();
                players.sort_unstable();
                let known = pairings[*index].len();
                *pairings[*index].entry(players).or_insert(known)
            });
            self.tallies[*index].add(game.game, game.table, stratum, seat);
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
