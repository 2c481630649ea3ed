//! Solved rounds.

use dicehill_solver::liars_dice::{Bracket, RoundSolver, Side};

/// A round, solved as far as the time allowed.
pub(super) struct SolvedRound {
    pub(super) solver: RoundSolver,
    pub(super) seconds: f64,
}

impl SolvedRound {
    pub(super) fn bracket(&self) -> Bracket {
        self.solver.bracket()
    }

    pub(super) fn iterations(&self) -> u32 {
        self.solver.learners()[0].iterations()
    }

    pub(super) fn bytes(&self) -> usize {
        self.solver.learners().iter().map(|learner| learner.tree().memory_bytes()).sum()
    }
}

/// The result of a round in a match.
pub(super) struct MatchRound {
    pub(super) dice: u8,
    pub(super) bracket: Bracket,
    pub(super) seconds: f64,
    pub(super) iterations: u32,
    pub(super) bytes: usize,
}

impl MatchRound {
    pub(super) fn of(solved: &SolvedRound) -> Self {
        Self {
            dice: solved.solver.round().dice(Side::Starter),
            bracket: solved.bracket(),
            seconds: solved.seconds,
            iterations: solved.iterations(),
            bytes: solved.bytes(),
        }
    }
}
