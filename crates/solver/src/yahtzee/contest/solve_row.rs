//! The chances of all positions with the same free boxes, from those with one box less.

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::contest::chance_row::{Row, UNIT};
use crate::yahtzee::contest::level::{AT_ONCE, PAD};
use crate::yahtzee::contest::solved_rows::Known;
use crate::yahtzee::contest::win_chances::Chances;
use crate::yahtzee::game::hand_tables::TABLES;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{Lane, different_totals, hopeless_below};

/// Places of positions with the same free boxes: by upper total, and 64 more if the Yahtzee box holds 50.
const POSITIONS: usize = 128;

type Memory = (BoxValues<AT_ONCE, f32>, HandValues<AT_ONCE, f32>);

impl Row {
    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        free: CategorySet,
        solution: &Solution,
        known: Known<'_>,
        memory: &mut Memory,
    ) {
        let level = &known.levels[free.len()];
        let both = solution.variant().tells_yahtzees_apart() && !free.contains(Category::Yahtzee);
        self.numbers = vec![0; POSITIONS];
        let mut before = vec![0.0; level.grid.len];
        let mut after = vec![0.0; level.grid.len];
        let kinds: &[bool] = if both { &[false, true] } else { &[false] };
        for has_yahtzee in kinds {
            for upper in different_totals(free) {
                let position = Position::from_parts(free, upper, *has_yahtzee);
                let low = (solution.value(position) as f32).round() - level.half;
                self.add(position, low);
                if free.is_empty() {
                    for (missing, chance) in before.iter_mut().enumerate() {
                        let won = low + (missing * level.grid.step) as f32 <= 0.0;
                        *chance = if won { UNIT } else { 0.0 };
                    }
                } else {
                    chances_before(position, low, solution, known, memory, &mut before);
                }
                level.after_moves(&before, &mut after);
                pad(after.iter().map(|chance| chance.round() as u16), &mut self.chances);
                let (_, ratio) = level.coarse();
                if ratio > 1 {
                    let coarse = after.iter().step_by(ratio);
                    pad(coarse.map(|chance| chance.round() as u16), &mut self.coarse);
                }
            }
        }
        if !both {
            self.numbers.copy_within(..POSITIONS / 2, POSITIONS / 2);
        }
    }

    /// Gives a position, and those that are as good, the next number.
    fn add(&mut self, position: Position, low: f32) {
        let number = self.lows.len() as u8;
        let first = Lane::of(position).place(0);
        let hopeless = hopeless_below(position.free());
        let alike = if position.upper() < hopeless { usize::from(hopeless) } else { 1 };
        self.numbers[first..first + alike].fill(number);
        self.lows.push(low);
    }
}

/// The chances before a turn.
#[inline(always)]
fn chances_before(
    position: Position,
    low: f32,
    solution: &Solution,
    known: Known<'_>,
    (boxes, values): &mut Memory,
    chances: &mut [f32],
) {
    let (free, tables) = (position.free(), &*TABLES);
    let step = known.levels[free.len()].grid.step;
    for (block, some) in chances.chunks_mut(AT_ONCE).enumerate() {
        let missing = low + (block * AT_ONCE * step) as f32;
        let outlook = Chances { solution, known, position, missing };
        boxes.set(solution.variant(), free, &outlook);
        boxes.fill(free, values);
        values.average(tables);
        values.take_best(tables);
        values.average(tables);
        values.take_best(tables);
        some.copy_from_slice(&values.first_roll(tables)[..some.len()]);
    }
}

/// Appends chances with copies of the first and the last beyond the ends.
fn pad(chances: impl Iterator<Item = u16>, all: &mut Vec<u16>) {
    let begin = all.len();
    all.resize(begin + PAD, 0);
    all.extend(chances);
    let (first, last) = (all[begin + PAD], all[all.len() - 1]);
    all[begin..begin + PAD].fill(first);
    all.resize(all.len() + PAD, last);
}
