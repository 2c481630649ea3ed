//! The games of a run, summed up for each player.

use std::collections::HashMap;

use dicehill_arena::Replay;
use dicehill_rules::Chance;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::Solution;

use super::tally::Tally;
use super::{AppraisedTurn, BotReport, PlayedTurn};

/// A game with what its decisions lost.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedGame {
    /// The number of the game.
    pub game: u64,
    /// The table whose dice were used.
    pub table: u64,
    /// The players, by seat.
    pub seats: Vec<AppraisedSeat>,
}

/// A player in a game with what its decisions lost.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedSeat {
    /// The player.
    pub name: String,
    /// Its score.
    pub score: u32,
    /// Its turns.
    pub turns: Vec<AppraisedTurn>,
}

impl AppraisedGame {
    /// Appraises a recorded game by a solution of its rules; `None` if it counts for nobody. Of the players only those
    /// are appraised for whom `wanted` holds.
    #[must_use]
    pub fn new(
        solution: &Solution,
        rules: YahtzeeRules,
        chance: &Chance,
        replay: &Replay<Yahtzee>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let Replay { game, table, names, moves, results, .. } = replay;
        let played = PlayedTurn::of_game(rules, &chance.table(*table), names.len(), moves);
        let is_whole =
            played.iter().all(|turns| turns.iter().filter(|turn| turn.is_whole()).count() == 13);
        let seats = names.iter().zip(&played).zip(results).filter(|((name, _), _)| wanted(name));
        let seats = seats.map(|((name, turns), result)| AppraisedSeat {
            name: name.clone(),
            score: result.figures[0] as u32,
            turns: turns.iter().map(|turn| AppraisedTurn::new(solution, turn)).collect(),
        });
        is_whole.then(|| Self { game: *game, table: *table, seats: seats.collect() })
    }
}

impl AppraisedSeat {
    /// Points that all decisions lost.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.turns.iter().map(AppraisedTurn::loss).sum()
    }

    /// By how much the dice were better than on average, in points.
    #[must_use]
    pub fn luck(&self) -> f64 {
        self.turns.iter().map(|turn| turn.luck).sum()
    }
}

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
                self.tallies[*place].add(game.game, game.table, seat.score, &seat.turns);
            }
        }
    }

    /// What came of it, in the order in which the players were named.
    #[must_use]
    pub fn reports(self) -> Vec<BotReport> {
        self.names.into_iter().zip(self.tallies).map(|(name, tally)| tally.report(name)).collect()
    }
}
