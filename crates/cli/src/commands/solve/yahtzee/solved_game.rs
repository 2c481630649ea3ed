//! A solved game of solitaire Yahtzee.

use std::time::Instant;

use dicehill_solver::yahtzee::{Distribution, Solution, Variant};

use crate::threads::threads;

/// A solved game, and how long that took.
pub(super) struct SolvedGame {
    pub(super) rules: Variant,
    pub(super) start: f64,
    pub(super) distribution: Distribution,
    pub(super) solution_seconds: f64,
    pub(super) distribution_seconds: f64,
}

impl SolvedGame {
    pub(super) fn new(rules: Variant) -> Self {
        let threads = threads();
        let begun = Instant::now();
        let solution = Solution::new(rules, threads);
        let solution_seconds = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let distribution = Distribution::new(&solution, threads);
        let distribution_seconds = begun.elapsed().as_secs_f64();
        let start = solution.start();
        Self { rules, start, distribution, solution_seconds, distribution_seconds }
    }
}
