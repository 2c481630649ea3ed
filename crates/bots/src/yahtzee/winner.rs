//! The player with the highest chance to be the top scorer.

mod contests;

use std::sync::Arc;

use dicehill_arena::{Bot, Failure, Start};
use dicehill_rules::yahtzee::{Action, View, Yahtzee};
use dicehill_solver::yahtzee::{Contest, Position, Turn};

use super::choice::action;
use super::optimal::Optimal;

pub use contests::{KeptContests, keep_contests};

/// Maximises the chance to be the top scorer, alone or with others, against rivals that maximise their mean.
///
/// It knows its card, the scores of all and the round, and how many played before it in the first round, which it
/// sees by their scores. Alone it maximises its score.
#[derive(Default)]
pub(super) struct Winner {
    /// Rivals that have their turn before this player in each round, as seen in its first turn.
    before: Option<usize>,
    contest: Option<Arc<Contest>>,
    /// The turn last solved, and for what.
    turn: Option<((Position, f64), Turn)>,
    alone: Optimal,
}

impl Bot<Yahtzee> for Winner {
    fn start(&mut self, _start: &Start) {
        *self = Self::default();
    }

    fn act(&mut self, view: &View<'_>) -> Result<Action, Failure> {
        let others = others(view);
        if others.is_empty() {
            return self.alone.act(view);
        }
        let before = *self.before.get_or_insert_with(|| before(view, &others));
        let solve = || contests::contest(view.card.rules().into(), others.len(), before);
        let contest = self.contest.get_or_insert_with(solve);
        let target = contest.rivals().target(view.round, before, &others);
        let missing = target - f64::from(view.card.score());
        let position = Position::of(view.card);
        let turn = &mut self.turn;
        let keep = |stage, hand| {
            let known = turn.take().filter(|(of, _)| *of == (position, missing));
            let solve = || ((position, missing), contest.turn(position, missing));
            turn.insert(known.unwrap_or_else(solve)).1.best_keep(stage, hand)
        };
        Ok(action(view, keep, |hand| contest.best_fill(position, missing, hand)))
    }
}

/// The scores of the others.
fn others(view: &View<'_>) -> Vec<u32> {
    let own = view.scores.iter().position(|score| *score == view.card.score());
    let others = view.scores.iter().enumerate().filter(|(place, _)| Some(*place) != own);
    others.map(|(_, score)| *score).collect()
}

/// How many have had their turn before: in the first round they have a score. Later it cannot be seen.
fn before(view: &View<'_>, others: &[u32]) -> usize {
    if view.round == 1 {
        others.iter().filter(|score| **score > 0).count()
    } else {
        others.len() / 2
    }
}
