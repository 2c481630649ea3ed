//! Chances of positions with the same free boxes.

use dicehill_rules::yahtzee::{Category, CategorySet};

use super::level::{AT_ONCE, Grid, Level, PAD};
use super::{Chances, Known};
use crate::yahtzee::box_values::BoxValues;
use crate::yahtzee::hand::TABLES;
use crate::yahtzee::hand_values::HandValues;
use crate::yahtzee::table::{Lane, different_totals, hopeless_below};
use crate::yahtzee::{Position, Solution};

/// Chances are kept as multiples of 1/65535.
pub(super) const UNIT: f32 = 65535.0;
/// Places of positions with the same free boxes: by upper total, and 64 more if the Yahtzee box holds 50.
const POSITIONS: usize = 128;

/// Chances of positions with the same free boxes.
#[derive(Default)]
pub(super) struct Row {
    /// Which of the row's positions it is, by its place.
    pub(super) numbers: Vec<u8>,
    /// By position: the missing points of its first chance.
    pub(super) lows: Vec<f32>,
    /// By position: chances after the turn, with `PAD` more at both ends.
    pub(super) chances: Vec<u16>,
    /// The same in the steps of the level with one more box, if they are others.
    pub(super) coarse: Vec<u16>,
}

type Memory = (BoxValues<AT_ONCE, f32>, HandValues<AT_ONCE, f32>);

impl Row {
    /// The chance with so many points missing.
    pub(super) fn chance(&self, grid: Grid, position: Position, missing: f64) -> f64 {
        let number = self.number(position);
        let chances = &self.chances[number * grid.stride()..][..grid.stride()];
        let at = (missing - f64::from(self.lows[number])) / grid.step as f64;
        let at = at.clamp(-1.0, grid.len as f64);
        let place = (at.floor() as i32 + PAD as i32) as usize;
        let [low, high] = [place, place + 1].map(|place| f64::from(chances[place]));
        (low + (high - low) * (at - at.floor())) / f64::from(UNIT)
    }

    /// The chances on the grid of the level with one more box, and the missing points of the first.
    #[inline(always)]
    pub(super) fn coarse_chances(&self, level: &Level, position: Position) -> (&[u16], f32, Grid) {
        let number = self.number(position);
        let (grid, ratio) = level.coarse();
        let chances = if ratio == 1 { &self.chances } else { &self.coarse };
        (&chances[number * grid.stride()..][..grid.stride()], self.lows[number], grid)
    }

    #[inline(always)]
    fn number(&self, position: Position) -> usize {
        usize::from(self.numbers[Lane::of(position).place(0)])
    }

    /// Forgets what only the level with one more box needed.
    pub(super) fn finish(&mut self) {
        self.coarse = Vec::new();
        self.chances.shrink_to_fit();
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.chances) + size_of_val(&*self.lows) + size_of_val(&*self.numbers)
    }

    #[inline(always)]
    pub(super) fn solve(
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
