//! Solves a row of win probabilities from the rows with one box less.

use dicehill_rules::yahtzee::{Category, CategorySet};

use crate::yahtzee::contest::chance_row::{ChanceRow, UNIT};
use crate::yahtzee::contest::level::{BATCH, PAD};
use crate::yahtzee::contest::solved_rows::SolvedRows;
use crate::yahtzee::contest::win_chances::WinChances;
use crate::yahtzee::game::hand_tables::TABLES;
use crate::yahtzee::game::position::Position;
use crate::yahtzee::turns::box_values::BoxValues;
use crate::yahtzee::turns::hand_values::HandValues;
use crate::yahtzee::values::solution::Solution;
use crate::yahtzee::values::table::{BonusState, bonus_out_of_reach_below, distinct_totals};

/// Position indices within a row: the upper total, plus 64 if the Yahtzee box holds 50.
const POSITIONS: usize = 128;

type Memory = (BoxValues<BATCH, f32>, HandValues<BATCH, f32>);

impl ChanceRow {
    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        free: CategorySet,
        solution: &Solution,
        solved: SolvedRows<'_>,
        memory: &mut Memory,
    ) {
        let level = &solved.levels[free.len()];
        let both = solution.variant().distinguishes_yahtzees() && !free.contains(Category::Yahtzee);
        self.numbers = vec![0; POSITIONS];
        let mut before = vec![0.0; level.grid.len];
        let mut after = vec![0.0; level.grid.len];
        let kinds: &[bool] = if both { &[false, true] } else { &[false] };
        for has_yahtzee in kinds {
            for upper in distinct_totals(free) {
                let position = Position::from_parts(free, upper, *has_yahtzee);
                let low = (solution.value(position) as f32).round() - level.half;
                self.add(position, low);
                if free.is_empty() {
                    for (missing, chance) in before.iter_mut().enumerate() {
                        let won = low + (missing * level.grid.step) as f32 <= 0.0;
                        *chance = if won { UNIT } else { 0.0 };
                    }
                } else {
                    chances_before(position, low, solution, solved, memory, &mut before);
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

    /// Assigns the next number to a position and its equivalents.
    fn add(&mut self, position: Position, low: f32) {
        let number = self.lows.len() as u8;
        let first = BonusState::of(position).index(0);
        let out_of_reach = bonus_out_of_reach_below(position.free());
        let equivalent =
            if position.upper() < out_of_reach { usize::from(out_of_reach) } else { 1 };
        self.numbers[first..first + equivalent].fill(number);
        self.lows.push(low);
    }
}

/// The probabilities before a turn.
#[inline(always)]
fn chances_before(
    position: Position,
    low: f32,
    solution: &Solution,
    solved: SolvedRows<'_>,
    (boxes, values): &mut Memory,
    chances: &mut [f32],
) {
    let (free, tables) = (position.free(), &*TABLES);
    let step = solved.levels[free.len()].grid.step;
    for (batch, some) in chances.chunks_mut(BATCH).enumerate() {
        let missing = low + (batch * BATCH * step) as f32;
        let fill_values = WinChances { solution, solved, position, missing };
        boxes.set(solution.variant(), free, &fill_values);
        boxes.fill(values);
        values.average(tables);
        values.take_best(tables);
        values.average(tables);
        values.take_best(tables);
        some.copy_from_slice(&values.first_roll(tables)[..some.len()]);
    }
}

/// Appends probabilities, padded at both ends by copies of the first and the last.
fn pad(chances: impl Iterator<Item = u16>, all: &mut Vec<u16>) {
    let begin = all.len();
    all.resize(begin + PAD, 0);
    all.extend(chances);
    let (first, last) = (all[begin + PAD], all[all.len() - 1]);
    all[begin..begin + PAD].fill(first);
    all.resize(all.len() + PAD, last);
}
