//! A game with what its decisions lost.

use dicehill_arena::Replay;
use dicehill_rules::Chance;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::Solution;

use super::{AppraisedTurn, PlayedTurn};

/// A game with what its decisions lost.
pub type AppraisedGame = crate::AppraisedGame<AppraisedSeat>;

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
