//! The values of all positions.

use std::array;
use std::num::NonZero;
use std::sync::{Mutex, OnceLock};
use std::thread;

use dicehill_rules::yahtzee::{Category, CategorySet, Scorecard};

use crate::simd::{Work, with_widest};
use crate::yahtzee::game::hand::Hand;
use crate::yahtzee::game::hand_tables::TABLES;
use crate::yahtzee::game::position::{ENOUGH, Position};
use crate::yahtzee::game::variant::Variant;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::turns::turn::{RollValues, Turn};
use crate::yahtzee::values::table::{
    Lane, Points, Row, SETS, Table, different_totals, hopeless_below, last_row, places, sets,
};

/// Positions that are worked on at once: as many as fit the first-level cache with the values of all hands.
const AT_ONCE: usize = 8;

/// The exact expected further score of optimal solitaire play from every position.
pub struct Solution {
    variant: Variant,
    /// Those of sets with fewer free boxes first.
    rows: Vec<Row>,
    places: [u16; SETS],
}

impl Solution {
    /// Solves the game with so many threads. The result does not depend on them.
    #[must_use]
    pub fn new(variant: Variant, threads: NonZero<usize>) -> Self {
        let sets = sets();
        let places = places(&sets);
        let mut rows = vec![[0.0; 2 * (ENOUGH as usize + 1)]; SETS];
        rows[0] = last_row();
        let mut begin = 1;
        while begin < SETS {
            let boxes = sets[begin].len();
            let end = sets.partition_point(|set| set.len() <= boxes);
            let (known, rest) = rows.split_at_mut(begin);
            let table = Table { rows: known, places: &places };
            let work = Mutex::new(sets[begin..end].iter().zip(&mut rest[..end - begin]));
            let solve_some = || with_widest(SolveRows { variant, table: &table, work: &work });
            thread::scope(|scope| {
                for _ in 1..threads.get().min(end - begin) {
                    scope.spawn(solve_some);
                }
                solve_some();
            });
            begin = end;
        }
        Self { variant, rows, places }
    }

    /// The solution of these rules, made when it is first asked for and kept for the life of the program.
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

    /// The points still to be expected from a position, both bonuses included as far as they are not earned yet.
    #[must_use]
    pub fn value(&self, position: Position) -> f64 {
        self.table().row(position.free())[Lane::of(position).place(0)] - earned(position)
    }

    /// What five dice are worth in a box, now and later; `None` if they may not fill it.
    #[must_use]
    pub fn fill(&self, position: Position, category: Category, dice: Hand) -> Option<f64> {
        let legal = position.legal(self.variant, dice).contains(category);
        legal.then(|| {
            let (gain, next) = position.fill(self.variant, category, dice);
            f64::from(gain) + self.value(next)
        })
    }

    /// The box that five dice are worth most in, the first in the order of the card among equals; `None` if none is free.
    #[must_use]
    pub fn best_fill(&self, position: Position, dice: Hand) -> Option<(Category, f64)> {
        let legal = position.legal(self.variant, dice).iter();
        let fills =
            legal.filter_map(|category| Some((category, self.fill(position, category, dice)?)));
        fills.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// What five dice after the last roll are worth in their best box; 0 if none is free.
    #[must_use]
    pub fn rolls(&self, position: Position) -> RollValues {
        let (free, lanes) = (position.free(), [Lane::of(position)]);
        let mut values = HandValues::new();
        if !free.is_empty() {
            let mut boxes = BoxValues::new();
            boxes.set(self.variant, free, &Points::new(self.variant, free, &self.table(), &lanes));
            boxes.fill(free, &mut values);
        }
        let earned = earned(position);
        array::from_fn(|roll| values.rolls[roll][0] - earned)
    }

    /// What every keep is worth in the turn from this position.
    #[must_use]
    pub fn turn(&self, position: Position) -> Turn {
        Turn::new(&self.rolls(position))
    }

    /// What five dice are worth in a box, with the upper bonus even if it is earned already.
    pub(crate) fn late_fill(&self, position: Position, category: Category, dice: Hand) -> f64 {
        let (gain, next) = position.fill(self.variant, category, dice);
        f64::from(gain) + self.value(next) + earned(position)
    }

    pub(crate) fn table(&self) -> Table<'_> {
        Table { rows: &self.rows, places: &self.places }
    }
}

/// The upper bonus, if it is no longer to come.
fn earned(position: Position) -> f64 {
    if position.upper() == ENOUGH { f64::from(Scorecard::UPPER_BONUS) } else { 0.0 }
}

/// Rows of sets with equally many free boxes, which threads share.
struct SolveRows<'a, I> {
    variant: Variant,
    table: &'a Table<'a>,
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
            solve_row(self.variant, *free, self.table, row, &mut memory);
        }
    }
}

/// Fills the row of a set of free boxes.
#[inline(always)]
fn solve_row(
    variant: Variant,
    free: CategorySet,
    table: &Table<'_>,
    row: &mut Row,
    (boxes, values): &mut (BoxValues<AT_ONCE>, HandValues<AT_ONCE>),
) {
    let tables = &*TABLES;
    let both = variant.tells_yahtzees_apart() && !free.contains(Category::Yahtzee);
    let kinds: &[bool] = if both { &[false, true] } else { &[false] };
    let lanes: Vec<_> = kinds
        .iter()
        .flat_map(|has_yahtzee| {
            different_totals(free).map(|upper| Lane { upper, has_yahtzee: *has_yahtzee })
        })
        .collect();
    for some in lanes.chunks(AT_ONCE) {
        let mut block = [some[0]; AT_ONCE];
        block[..some.len()].copy_from_slice(some);
        boxes.set(variant, free, &Points::new(variant, free, table, &block));
        boxes.fill(free, values);
        values.average(tables);
        values.take_best(tables);
        values.average(tables);
        values.take_best(tables);
        let worth = values.first_roll(tables);
        for (lane, worth) in some.iter().zip(worth) {
            row[lane.place(0)] = worth;
        }
    }
    spread(free, both, row);
}

/// Copies values to the positions that are as good as others.
fn spread(free: CategorySet, both: bool, row: &mut Row) {
    let half = row.len() / 2;
    let hopeless = usize::from(hopeless_below(free));
    for base in [0, half] {
        let first = row[base];
        row[base..base + hopeless].fill(first);
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
    fn values_are_those_of_the_literature() {
        assert!((start(Variant::Official) - 254.587_728_734_495).abs() < 1e-9);
        assert!((start(Variant::FreeJoker) - 254.589_609_481_962).abs() < 1e-9);
        assert!((start(Variant::Plain) - 245.870_8).abs() < 1e-4);
    }

    #[test]
    fn rolls_are_worth_their_best_box() {
        let solution = Solution::new(Variant::Official, NonZero::<usize>::MIN);
        let sets = [0x1fff, 0x1000, 0x0fff, 0x07ff, 0x0401, 0x0823, 0x003f, 0x0041, 0x0700];
        for free in sets.map(CategorySet::from_bits) {
            for (upper, has_yahtzee) in (0..106).flat_map(|upper| [(upper, false), (upper, true)]) {
                let Ok(position) = Position::new(free, upper, has_yahtzee) else { continue };
                for (value, hand) in solution.rolls(position).into_iter().zip(Hand::rolls()) {
                    let best = solution.best_fill(position, hand).expect("a free box").1;
                    assert!((value - best).abs() < 1e-9, "{position:?} {hand}: {value} {best}");
                }
                let turn = solution.turn(position).start();
                assert!((turn - solution.value(position)).abs() < 1e-9, "{position:?}");
            }
        }
    }
}
