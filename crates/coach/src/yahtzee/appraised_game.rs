//! A recorded game with the losses of its decisions.

use dicehill_arena::Replay;
use dicehill_rules::yahtzee::{Yahtzee, YahtzeeRules};
use dicehill_solver::yahtzee::Solution;

use super::{AppraisedTurn, PlayedTurn};

/// A recorded game with the losses of its decisions.
pub type AppraisedGame = crate::AppraisedGame<AppraisedSeat>;

/// A player in a game with the losses of its decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct AppraisedSeat {
    /// The name of the player.
    pub name: String,
    /// The final score.
    pub score: u32,
    /// Its turns.
    pub turns: Vec<AppraisedTurn>,
}

impl AppraisedGame {
    /// Appraises a recorded game by the solution of its rules, for the players whose name is
    /// `wanted`; `None` if the game does not count.
    #[must_use]
    pub fn new(
        solution: &Solution,
        rules: YahtzeeRules,
        replay: &Replay<Yahtzee>,
        wanted: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let Replay { game, table, chance, names, moves, results, .. } = replay;
        let played = PlayedTurn::by_seat(rules, &chance.table(*table), names.len(), moves);
        let is_whole =
            played.iter().all(|turns| turns.iter().filter(|turn| turn.is_whole()).count() == 13);
        let seats = names.iter().zip(&played).zip(results).filter(|((name, _), _)| wanted(name));
        let seats = seats.map(|((name, turns), result)| AppraisedSeat {
            name: name.clone(),
            score: result.figures[0] as u32,
            turns: turns.iter().map(|turn| AppraisedTurn::new(solution, turn)).collect(),
        });
        is_whole.then(|| {
            let players = names.clone();
            Self { game: *game, table: *table, players, seats: seats.collect() }
        })
    }
}

impl AppraisedSeat {
    /// Points lost by all decisions.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.turns.iter().map(AppraisedTurn::loss).sum()
    }

    /// The luck of the dice in points.
    #[must_use]
    pub fn luck(&self) -> f64 {
        self.turns.iter().map(|turn| turn.luck).sum()
    }
}
