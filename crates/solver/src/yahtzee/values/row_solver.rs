//! Solving a row of values for each set of free boxes, on several threads.

use std::num::NonZero;
use std::sync::Mutex;
use std::{iter, thread};

use dicehill_rules::yahtzee::CategorySet;

use crate::simd::{VectorTask, run_widest};

/// A row of values for each set of free boxes, which follows from the rows of the sets with fewer boxes.
pub(crate) trait RowSolver: Copy + Sync {
    /// The values of all positions with the same free boxes.
    type Row: Send + Sync;

    /// Solves these rows. `solved` has the rows of all sets with fewer boxes.
    ///
    /// Implementations are `#[inline(always)]`, as [`VectorTask::run`].
    fn solve<'a>(
        self,
        solved: &[Self::Row],
        rows: impl Iterator<Item = (CategorySet, &'a mut Self::Row)>,
    ) where
        Self::Row: 'a;
}

/// The threads that solve a game.
#[derive(Clone, Copy)]
pub struct SolverThreads<'a> {
    /// How many there are.
    pub count: NonZero<usize>,
    /// Asked now and then: whether the result is no longer wanted.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl SolverThreads<'_> {
    /// So many threads, which nothing stops.
    #[must_use]
    pub const fn new(count: NonZero<usize>) -> Self {
        Self { count, is_stopped: &|| false }
    }
}

/// Solves all `rows` but the `known` first ones, in the order of `sets`: those with fewer boxes first. The result does not
/// depend on the number of threads. If they are stopped, it is incomplete.
pub(crate) fn solve_rows<S: RowSolver>(
    solver: S,
    sets: &[CategorySet],
    rows: &mut [S::Row],
    known: usize,
    threads: SolverThreads<'_>,
) {
    let mut begin = known;
    while begin < sets.len() {
        let boxes = sets[begin].len();
        let end = sets.partition_point(|set| set.len() <= boxes);
        let (solved, rest) = rows.split_at_mut(begin);
        let work = Mutex::new(sets[begin..end].iter().copied().zip(&mut rest[..end - begin]));
        let is_stopped = threads.is_stopped;
        let solve_some = || run_widest(SharedRows { solver, solved, work: &work, is_stopped });
        thread::scope(|scope| {
            for _ in 1..threads.count.get().min(end - begin) {
                scope.spawn(solve_some);
            }
            solve_some();
        });
        begin = end;
    }
}

/// The rows of sets with equally many free boxes, which threads share.
struct SharedRows<'a, S: RowSolver, I> {
    solver: S,
    solved: &'a [S::Row],
    work: &'a Mutex<I>,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<'a, S: RowSolver, I: Iterator<Item = (CategorySet, &'a mut S::Row)>> VectorTask
    for SharedRows<'a, S, I>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let take = || self.work.lock().map_or(None, |mut work| work.next());
        let next = || if (self.is_stopped)() { None } else { take() };
        self.solver.solve(self.solved, iter::from_fn(next));
    }
}
