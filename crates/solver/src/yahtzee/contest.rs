//! The chance to be the top scorer of a table, and play that makes it as large as can be.
//!
//! # Method
//!
//! Only two things count besides the position: how many points are **missing** to the final score that the best rival is
//! expected to reach ([`Rivals::target`]), and how far that expectation will still move. The moves from
//! one turn to the next are taken from games of rivals that maximise their mean ([`Rivals`]). So the chance
//! after each turn is a function of position and missing points that follows from those with one box less, by the steps of
//! [`crate::yahtzee`], but for the chances in place of the points, sixteen numbers of missing points at a time,
//! and followed by the mean over the moves of the target. It reacts to the scores of the others, as they become known.
//!
//! Chances are kept in steps of missing points that are finer towards the end of the game, and interpolated between.

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
use std::sync::Mutex;
use std::thread;

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::simd::{Work, with_widest};
use crate::yahtzee::contest::chance_row::Row;
use crate::yahtzee::contest::level::{Grid, Level};
use crate::yahtzee::contest::solved_rows::{Known, bonus};
use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::turns::turn::Turn;
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{SETS, places, sets};

/// What a point is worth beside the chance to win: where nothing else differs, more points are better, and rivals may be other
/// than was expected.
const POINT: f64 = 2e-6;

/// Chances to be the top scorer, alone or with others, against certain rivals.
pub struct Contest {
    solution: &'static Solution,
    rivals: Rivals,
    /// By number of free boxes.
    grids: [Grid; 14],
    /// Of sets of free boxes, those with fewer first.
    rows: Vec<Row>,
    places: [u16; SETS],
}

impl Contest {
    /// Solves the game with so many threads against `count` rivals, at least one, that maximise their mean; `before` of them
    /// play their turns before the player. The result does not depend on the threads.
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
        assert!(count > 0, "a contest is against somebody");
        let (rivals, moves) = Rivals::new(solution, count, before);
        Self::against(solution, rivals, &Level::all(&moves), threads)
    }

    /// Solves the game of somebody who knows the score to reach from the beginning, be it that of a rival or any other: the
    /// missing points are those to it. No player at a table can do better.
    #[must_use]
    pub fn with_known_target(solution: &'static Solution, threads: NonZero<usize>) -> Self {
        let (rivals, moves) = Rivals::new(solution, 1, 1);
        Self::against(solution, rivals, &Level::all(&moves.of_a_known_target()), threads)
    }

    fn against(
        solution: &'static Solution,
        rivals: Rivals,
        levels: &[Level],
        threads: NonZero<usize>,
    ) -> Self {
        let sets = sets();
        let places = places(&sets);
        let mut rows: Vec<Row> = Vec::new();
        rows.resize_with(SETS, Row::default);
        let mut begin = 0;
        while begin < SETS {
            let boxes = sets[begin].len();
            let end = sets.partition_point(|set| set.len() <= boxes);
            let (known, rest) = rows.split_at_mut(begin);
            let known = Known { rows: known, places: &places, levels };
            let work = Mutex::new(sets[begin..end].iter().zip(&mut rest[..end - begin]));
            let solve_some = || with_widest(SolveRows { solution, known, work: &work });
            thread::scope(|scope| {
                for _ in 1..threads.get().min(end - begin) {
                    scope.spawn(solve_some);
                }
                solve_some();
            });
            begin = end;
        }
        rows.iter_mut().for_each(Row::finish);
        let grids = std::array::from_fn(|free| levels[free].grid);
        Self { solution, rivals, grids, rows, places }
    }

    /// Against whom.
    #[must_use]
    pub const fn rivals(&self) -> &Rivals {
        &self.rivals
    }

    /// The chance before the game, as far as the model of the rivals is right.
    #[must_use]
    pub fn start(&self) -> f64 {
        self.chance(Position::START, self.rivals.first_target())
    }

    /// The chance after a turn that has led to `position`, with so many points missing then, before the rivals' next turns.
    #[must_use]
    pub fn chance(&self, position: Position, missing: f64) -> f64 {
        let row = &self.rows[usize::from(self.places[usize::from(position.free().bits())])];
        row.chance(self.grids[position.free().len()], position, missing)
    }

    /// What every keep is worth in a turn from this position with so many points missing: the chance, and a
    /// very little for each point that is to be expected.
    #[must_use]
    pub fn turn(&self, position: Position, missing: f64) -> Turn {
        Turn::of_boxes(self.solution.variant(), position.free(), |category, score, further| {
            let bonus = if further { bonus(self.solution, position) } else { 0 };
            let (gain, next) = position.with_score(category, score);
            self.after(missing, gain + bonus, next)
        })
    }

    /// The box to fill with five dice; `None` if none is free.
    #[must_use]
    pub fn best_fill(&self, position: Position, missing: f64, dice: Hand) -> Option<Category> {
        let variant = self.solution.variant();
        let worth = |category| {
            let (gain, next) = position.fill(variant, category, dice);
            self.after(missing, gain, next)
        };
        let fills =
            position.legal(variant, dice).iter().map(|category| (category, worth(category)));
        let best = fills.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        Some(best.0)
    }

    /// What it is worth to have gained so many points and to be in the next position.
    fn after(&self, missing: f64, gain: u32, next: Position) -> f64 {
        let points = f64::from(gain) + self.solution.value(next);
        self.chance(next, missing - f64::from(gain)) + POINT * points
    }

    /// Memory that the chances take, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.rows.iter().map(Row::memory).sum()
    }
}

/// Rows of sets with equally many free boxes, which threads share.
struct SolveRows<'a, I> {
    solution: &'a Solution,
    known: Known<'a>,
    work: &'a Mutex<I>,
}

impl<'a, I: Iterator<Item = (&'a CategorySet, &'a mut Row)>> Work for SolveRows<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut memory = (BoxValues::new(), HandValues::new());
        loop {
            let next = self.work.lock().map_or(None, |mut work| work.next());
            let Some((free, row)) = next else { break };
            row.solve(*free, self.solution, self.known, &mut memory);
        }
    }
}
