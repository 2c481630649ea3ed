//! Play that maximises the probability of the highest score at a table.
//!
//! # Method
//!
//! Besides the position, only two things matter: the **missing** points, from the player's score to
//! the final score expected of the best rival ([`Rivals::target`]), and how far that expectation
//! will still move. Its moves from one turn to the next are taken from simulated games of rivals
//! that maximise their expected score ([`Rivals`]). The probability of winning after each turn is
//! therefore a function of position and missing points. It follows from the probabilities with one
//! box less by the steps of [`crate::yahtzee`] with probabilities in place of points, for sixteen
//! numbers of missing points at a time, followed by the mean over the moves of the target. Play
//! adapts to the rivals' scores as they become known.
//!
//! Probabilities are tabulated in steps of missing points that are finer towards the end of the
//! game, and interpolated.

mod chance_row;
mod encoding;
mod level;
mod rivals;
mod solve_row;
mod solved_rows;
mod win_chances;

pub use encoding::ReadContestError;
pub use rivals::Rivals;

use std::num::NonZero;

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::contest::chance_row::ChanceRow;
use crate::yahtzee::contest::level::{Grid, Level};
use crate::yahtzee::contest::solved_rows::{SolvedRows, bonus};
use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::turns::turn::Turn;
use crate::yahtzee::values::row_solver::{RowSolver, SolverThreads, solve_rows};
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{SETS, indices, sets};

/// The value of a point in units of probability: a tie-break that prefers more points, because the
/// rivals may differ from the model.
const POINT: f64 = 2e-6;

/// The probabilities of the highest score at a table, alone or shared, against some rivals.
///
/// ```no_run
/// use std::num::NonZero;
///
/// use dicehill_solver::yahtzee::{Contest, Solution, Variant};
///
/// let solution = Solution::shared(Variant::Official);
/// let contest = Contest::new(solution, 1, 1, NonZero::<usize>::MIN);
/// // Slightly above a half, because ties count as wins.
/// assert!((0.505..0.53).contains(&contest.start()));
/// ```
pub struct Contest {
    solution: &'static Solution,
    rivals: Rivals,
    /// By number of free boxes.
    grids: [Grid; 14],
    /// By set of free boxes, those with fewer boxes first.
    rows: Vec<ChanceRow>,
    indices: [u16; SETS],
}

impl Contest {
    /// Solves the game on `threads` threads against `count` rivals that maximise their expected
    /// score; `before` of them play their turns before the player. The result does not depend on
    /// the number of threads.
    ///
    /// This takes about fifteen seconds of one core.
    ///
    /// # Panics
    /// If `count` is 0.
    #[must_use]
    pub fn new(
        solution: &'static Solution,
        count: usize,
        before: usize,
        threads: NonZero<usize>,
    ) -> Self {
        let contest = Self::interruptible(solution, count, before, SolverThreads::new(threads));
        contest.expect("nothing stops it")
    }

    /// The same, unless the threads are stopped: then it returns `None` within milliseconds.
    ///
    /// # Panics
    /// If `count` is 0.
    #[must_use]
    pub fn interruptible(
        solution: &'static Solution,
        count: usize,
        before: usize,
        threads: SolverThreads<'_>,
    ) -> Option<Self> {
        assert!(count > 0, "a contest needs a rival");
        let (rivals, moves) = Rivals::new(solution, count, before, threads.is_stopped)?;
        let contest = Self::against(solution, rivals, &Level::all(&moves), threads);
        // A contest that was stopped lacks rows.
        (!(threads.is_stopped)()).then_some(contest)
    }

    /// Solves the game of a player who knows from the beginning the final score to reach. Missing
    /// points are the points to that score. No player at a table can do better.
    #[must_use]
    pub fn with_known_target(solution: &'static Solution, threads: NonZero<usize>) -> Self {
        let (rivals, moves) = Rivals::new(solution, 1, 1, &|| false).expect("nothing stops it");
        let levels = Level::all(&moves.with_fixed_target());
        Self::against(solution, rivals, &levels, SolverThreads::new(threads))
    }

    fn against(
        solution: &'static Solution,
        rivals: Rivals,
        levels: &[Level],
        threads: SolverThreads<'_>,
    ) -> Self {
        let sets = sets();
        let indices = indices(&sets);
        let mut rows: Vec<ChanceRow> = Vec::new();
        rows.resize_with(SETS, ChanceRow::default);
        let solver = ChanceRowSolver { solution, indices: &indices, levels };
        solve_rows(solver, &sets, &mut rows, 0, threads);
        rows.iter_mut().for_each(ChanceRow::finish);
        let grids = std::array::from_fn(|free| levels[free].grid);
        Self { solution, rivals, grids, rows, indices }
    }

    /// The model of the rivals.
    #[must_use]
    pub const fn rivals(&self) -> &Rivals {
        &self.rivals
    }

    /// The probability of winning before the first turn, under the model of the rivals.
    #[must_use]
    pub fn start(&self) -> f64 {
        self.chance(Position::START, self.rivals.first_target())
    }

    /// The probability of winning after a turn that led to `position` with `missing` points
    /// missing, before the rivals' next turns.
    #[must_use]
    pub fn chance(&self, position: Position, missing: f64) -> f64 {
        let row = &self.rows[usize::from(self.indices[usize::from(position.free().bits())])];
        row.chance(self.grids[position.free().len()], position, missing)
    }

    /// The values of all keeps in the turn from `position` with `missing` points missing. A value
    /// is the probability of winning plus a very small weight of the expected points.
    #[must_use]
    pub fn turn(&self, position: Position, missing: f64) -> Turn {
        Turn::from_boxes(self.solution.variant(), position.free(), |category, score, further| {
            let bonus = if further { bonus(self.solution, position) } else { 0 };
            let (gain, next) = position.with_score(category, score);
            self.after(missing, gain + bonus, next)
        })
    }

    /// The best box for five dice; `None` if no box is free.
    #[must_use]
    pub fn best_fill(&self, position: Position, missing: f64, dice: Hand) -> Option<Category> {
        let variant = self.solution.variant();
        let value = |category| {
            let (gain, next) = position.fill(variant, category, dice);
            self.after(missing, gain, next)
        };
        let fills =
            position.legal(variant, dice).iter().map(|category| (category, value(category)));
        let best = fills.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        Some(best.0)
    }

    /// The value of gaining points and moving to the next position.
    fn after(&self, missing: f64, gain: u32, next: Position) -> f64 {
        let points = f64::from(gain) + self.solution.value(next);
        self.chance(next, missing - f64::from(gain)) + POINT * points
    }

    /// The size of the probability tables in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.rows.iter().map(ChanceRow::memory).sum()
    }
}

/// Solves the rows of probabilities.
#[derive(Clone, Copy)]
struct ChanceRowSolver<'a> {
    solution: &'a Solution,
    indices: &'a [u16; SETS],
    levels: &'a [Level],
}

impl RowSolver for ChanceRowSolver<'_> {
    type Row = ChanceRow;

    #[inline(always)]
    fn solve<'a>(
        self,
        solved: &[ChanceRow],
        rows: impl Iterator<Item = (CategorySet, &'a mut ChanceRow)>,
    ) {
        let solved = SolvedRows { rows: solved, indices: self.indices, levels: self.levels };
        let mut memory = (BoxValues::new(), HandValues::new());
        for (free, row) in rows {
            row.solve(free, self.solution, solved, &mut memory);
        }
    }
}
