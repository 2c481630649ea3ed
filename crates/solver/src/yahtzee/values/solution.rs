//! The values of all positions.

use std::array;
use std::num::NonZero;
use std::sync::OnceLock;
use std::thread;

use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard};

use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::TABLES;
use crate::yahtzee::game::position::{BONUS_FROM, Position};
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::turns::turn::{RollValues, Turn};
use crate::yahtzee::values::row_solver::{RowSolver, SolverThreads, solve_rows};
use crate::yahtzee::values::table::{
    BonusState, ExpectedPoints, SETS, SolvedRow, ValueRow, ValueTable, bonus_out_of_reach_below,
    distinct_totals, indices, sets,
};

/// Positions computed at a time: as many as fit the first-level cache with the values of all hands.
const BATCH: usize = 8;

/// The exact expected further score of optimal solitaire play from every position.
///
/// ```no_run
/// use std::num::NonZero;
///
/// use dicehill_solver::yahtzee::{Solution, Variant};
///
/// let threads = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
/// let solution = Solution::new(Variant::Official, threads);
/// assert!((solution.start() - 254.587_728).abs() < 1e-5);
/// ```
pub struct Solution {
    variant: Variant,
    /// By set of free boxes, those with fewer boxes first.
    rows: Vec<SolvedRow>,
    indices: [u16; SETS],
    /// The first turn, solved on first use.
    first_turn: OnceLock<Turn>,
}

impl Solution {
    /// Solves the game on `threads` threads. The result does not depend on the number of threads.
    #[must_use]
    pub fn new(variant: Variant, threads: NonZero<usize>) -> Self {
        let sets = sets();
        let indices = indices(&sets);
        let mut rows = vec![SolvedRow::ZERO; SETS];
        rows[0] = SolvedRow::full_card();
        let solver = ValueRowSolver { variant, indices: &indices };
        solve_rows(solver, &sets, &mut rows, 1, SolverThreads::new(threads));
        Self { variant, rows, indices, first_turn: OnceLock::new() }
    }

    /// The solution of these rules, computed on first use and kept until the process ends.
    pub fn shared(variant: Variant) -> &'static Self {
        static SHARED: [OnceLock<Solution>; 4] = [const { OnceLock::new() }; 4];
        let threads = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        SHARED[variant as usize].get_or_init(|| Self::new(variant, threads()))
    }

    /// The rules that were solved.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The expected score of a whole game.
    #[must_use]
    pub fn start(&self) -> f64 {
        self.value(Position::START)
    }

    /// The expected further points from a position, including both bonuses as far as they are not
    /// earned yet.
    #[must_use]
    pub fn value(&self, position: Position) -> f64 {
        self.table().row(position.free())[BonusState::of(position).index(0)] - earned(position)
    }

    /// The points of five dice in a box plus the value of the next position; `None` if the rules do
    /// not allow the box.
    #[must_use]
    pub fn fill(&self, position: Position, category: Category, dice: Hand) -> Option<f64> {
        let legal = position.legal(self.variant, dice).contains(category);
        legal.then(|| {
            let (gain, next) = position.fill(self.variant, category, dice);
            f64::from(gain) + self.value(next)
        })
    }

    /// The best box for five dice and its value, the first on the scorecard among equals; `None` if
    /// no box is free.
    #[must_use]
    pub fn best_fill(&self, position: Position, dice: Hand) -> Option<(Category, f64)> {
        let legal = position.legal(self.variant, dice).iter();
        let fills =
            legal.filter_map(|category| Some((category, self.fill(position, category, dice)?)));
        fills.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The value of every final roll in its best box; 0 if no box is free.
    #[must_use]
    pub fn roll_values(&self, position: Position) -> RollValues {
        let (free, lanes) = (position.free(), [BonusState::of(position)]);
        let mut values = HandValues::new();
        if !free.is_empty() {
            let mut boxes = BoxValues::new();
            boxes.set(
                self.variant,
                free,
                &ExpectedPoints::new(self.variant, free, &self.table(), &lanes),
            );
            boxes.fill(&mut values);
        }
        let earned = earned(position);
        array::from_fn(|roll| values.rolls[roll][0] - earned)
    }

    /// The values of all keeps in the turn from this position.
    #[must_use]
    pub fn turn(&self, position: Position) -> Turn {
        Turn::new(&self.roll_values(position))
    }

    /// The value of five dice in a box, with the upper bonus counted at the end of the game, even
    /// if it is already earned.
    pub(crate) fn fill_with_late_bonus(
        &self,
        position: Position,
        category: Category,
        dice: Hand,
    ) -> f64 {
        let (gain, next) = position.fill(self.variant, category, dice);
        f64::from(gain) + self.value(next) + earned(position)
    }

    /// The turn from the start of a game.
    pub(crate) fn first_turn(&self) -> &Turn {
        self.first_turn.get_or_init(|| self.turn(Position::START))
    }

    /// The value of a position with the upper bonus counted at the end of the game, and the variance
    /// that the first roll of the turn gives it.
    pub(crate) fn first_roll(&self, position: Position) -> (f64, f64) {
        let row = self.table().solved(position.free());
        let index = BonusState::of(position).index(0);
        (row.values[index], row.variances[index])
    }

    pub(crate) fn table(&self) -> ValueTable<'_> {
        ValueTable { rows: &self.rows, indices: &self.indices }
    }
}

/// The upper bonus if it is already earned, else 0.
fn earned(position: Position) -> f64 {
    if position.upper() == BONUS_FROM { f64::from(Scorecard::UPPER_BONUS) } else { 0.0 }
}

/// Solves the rows of expected scores.
#[derive(Clone, Copy)]
struct ValueRowSolver<'a> {
    variant: Variant,
    indices: &'a [u16; SETS],
}

impl RowSolver for ValueRowSolver<'_> {
    type Row = SolvedRow;

    #[inline(always)]
    fn solve<'a>(
        self,
        solved: &[SolvedRow],
        rows: impl Iterator<Item = (CategorySet, &'a mut SolvedRow)>,
    ) {
        let table = ValueTable { rows: solved, indices: self.indices };
        let mut memory = (BoxValues::new(), HandValues::new());
        for (free, row) in rows {
            solve_row(self.variant, free, &table, row, &mut memory);
        }
    }
}

/// Solves the row of a set of free boxes.
#[inline(always)]
fn solve_row(
    variant: Variant,
    free: CategorySet,
    table: &ValueTable<'_>,
    row: &mut SolvedRow,
    (boxes, values): &mut (BoxValues<BATCH>, HandValues<BATCH>),
) {
    let tables = &*TABLES;
    let both = variant.distinguishes_yahtzees() && !free.contains(Category::Yahtzee);
    let kinds: &[bool] = if both { &[false, true] } else { &[false] };
    let lanes: Vec<_> = kinds
        .iter()
        .flat_map(|has_yahtzee| {
            distinct_totals(free).map(|upper| BonusState { upper, has_yahtzee: *has_yahtzee })
        })
        .collect();
    for some in lanes.chunks(BATCH) {
        let mut block = [some[0]; BATCH];
        block[..some.len()].copy_from_slice(some);
        boxes.set(variant, free, &ExpectedPoints::new(variant, free, table, &block));
        boxes.fill(values);
        values.average(tables);
        values.take_best(tables);
        values.average(tables);
        values.take_best(tables);
        let (value, squares) = (values.first_roll(tables), values.first_roll_squared(tables));
        for (number, lane) in some.iter().enumerate() {
            let (index, value) = (lane.index(0), value[number]);
            row.values[index] = value;
            row.variances[index] = squares[number] - value * value;
        }
    }
    copy_to_equivalents(free, both, &mut row.values);
    copy_to_equivalents(free, both, &mut row.variances);
}

/// Copies numbers to equivalent positions.
fn copy_to_equivalents(free: CategorySet, both: bool, row: &mut ValueRow) {
    let half = row.len() / 2;
    let out_of_reach = usize::from(bonus_out_of_reach_below(free));
    for base in [0, half] {
        let first = row[base];
        row[base..base + out_of_reach].fill(first);
    }
    if !both {
        row.copy_within(..half, half);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(variant: Variant) -> f64 {
        Solution::new(variant, NonZero::new(2).expect("two")).start()
    }

    #[test]
    fn values_match_the_literature() {
        assert!((start(Variant::Official) - 254.587_728_734_495).abs() < 1e-9);
        assert!((start(Variant::FreeJoker) - 254.589_609_481_962).abs() < 1e-9);
        assert!((start(Variant::Plain) - 245.870_8).abs() < 1e-4);
    }

    #[test]
    fn roll_values_are_those_of_the_best_box() {
        let solution = Solution::new(Variant::Official, NonZero::<usize>::MIN);
        let sets = [0x1fff, 0x1000, 0x0fff, 0x07ff, 0x0401, 0x0823, 0x003f, 0x0041, 0x0700];
        for free in sets.map(CategorySet::from_bits) {
            for (upper, has_yahtzee) in (0..106).flat_map(|upper| [(upper, false), (upper, true)]) {
                let Ok(position) = Position::new(free, upper, has_yahtzee) else { continue };
                for (value, hand) in solution.roll_values(position).into_iter().zip(Hand::rolls()) {
                    let best = solution.best_fill(position, hand).expect("a free box").1;
                    assert!((value - best).abs() < 1e-9, "{position:?} {hand}: {value} {best}");
                }
                let turn = solution.turn(position).start();
                assert!((turn - solution.value(position)).abs() < 1e-9, "{position:?}");
            }
        }
    }
}
