//! `optimal`, which maximises the expected score.

use dicehill_arena::{Bot, Failure};
use dicehill_rules::yahtzee::{Action, View, Yahtzee};
use dicehill_solver::yahtzee::{Position, Solution, Turn};

use super::choice::action;

/// Maximises the expected final score by the exact solution of solitaire Yahtzee.
///
/// Ties are broken by [`Turn::best_keep`] and [`Solution::best_fill`].
#[derive(Default)]
pub(super) struct Optimal {
    /// The turn solved last, as a cache. It is a function of the position, so that earlier turns do not affect decisions.
    turn: Option<(Position, Turn)>,
}

impl Bot<Yahtzee> for Optimal {
    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let solution = Solution::shared(view.card.rules().into());
        let position = Position::from_scorecard(view.card);
        let keep = |stage, hand| self.turn(solution, position).best_keep(stage, hand);
        let fill = |hand| solution.best_fill(position, hand).map(|(category, _)| category);
        Ok(action(view, keep, fill))
    }
}

impl Optimal {
    fn turn(&mut self, solution: &Solution, position: Position) -> &Turn {
        let cached = self.turn.take().filter(|(of, _)| *of == position);
        let (_, turn) =
            self.turn.insert(cached.unwrap_or_else(|| (position, solution.turn(position))));
        turn
    }
}
