//! `winner`, which maximises the probability of having the highest score.

mod contest_cache;

use std::sync::Arc;

use dicehill_arena::{Bot, Failure, Reason, Start};
use dicehill_rules::yahtzee::{Action, View, Yahtzee};
use dicehill_solver::yahtzee::{Contest, Position, Turn};

use super::choice::action;
use super::optimal::Optimal;

pub use contest_cache::{ContestCache, cache_contests};

/// Maximises the probability of having the highest score, alone or tied, against rivals that maximise their expected score.
///
/// It uses its card, all scores, the round, and the number of rivals that play before it, which it infers from the scores in the first
/// round. Without rivals it maximises its score.
#[derive(Default)]
pub(super) struct Winner {
    /// Rivals that play before this player in each round, inferred in its first turn.
    before: Option<usize>,
    contest: Option<Arc<Contest>>,
    /// The turn solved last, with its position and the points missing to the target.
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
        if self.contest.is_none() {
            self.contest = contest_cache::contest(view.card.rules().into(), others.len(), before);
        }
        let Some(contest) = &self.contest else {
            return Err(Failure::new(Reason::ArenaError, "interrupted"));
        };
        let target = contest.rivals().target(view.round, before, &others);
        let missing = target - f64::from(view.card.score());
        let position = Position::from_scorecard(view.card);
        let turn = &mut self.turn;
        let keep = |stage, hand| {
            let cached = turn.take().filter(|(of, _)| *of == (position, missing));
            let solve = || ((position, missing), contest.turn(position, missing));
            turn.insert(cached.unwrap_or_else(solve)).1.best_keep(stage, hand)
        };
        Ok(action(view, keep, |hand| contest.best_fill(position, missing, hand)))
    }
}

/// The scores of the rivals.
fn others(view: &View<'_>) -> Vec<u32> {
    let own = view.scores.iter().position(|score| *score == view.card.score());
    let others = view.scores.iter().enumerate().filter(|(place, _)| Some(*place) != own);
    others.map(|(_, score)| *score).collect()
}

/// The number of rivals that have played before in this round. In the first round these have a score; later it is unknown, and half are
/// assumed.
fn before(view: &View<'_>, others: &[u32]) -> usize {
    if view.round == 1 {
        others.iter().filter(|score| **score > 0).count()
    } else {
        others.len() / 2
    }
}
