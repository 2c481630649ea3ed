//! Win probabilities after filling a box, for many numbers of missing points.

use dicehill_rules::yahtzee::Category;

use crate::yahtzee::contest::level::{BATCH, PAD};
use crate::yahtzee::contest::solved_rows::{SolvedRows, bonus};
use crate::yahtzee::game::position::Position;
use crate::yahtzee::turns::box_values::FillValues;
use crate::yahtzee::turns::hand_values::Lanes;
use crate::yahtzee::values::solution::Solution;

/// A position with [`BATCH`] numbers of missing points.
pub(crate) struct WinChances<'a> {
    pub(crate) solution: &'a Solution,
    pub(crate) solved: SolvedRows<'a>,
    pub(crate) position: Position,
    /// The first number of missing points; the others follow at the step of the position's level.
    pub(crate) missing: f32,
}

impl FillValues<BATCH, f32> for WinChances<'_> {
    /// In units of [`crate::yahtzee::contest::chance_row::UNIT`].
    #[inline(always)]
    fn value(&self, category: Category, score: u8, further: bool) -> Lanes<BATCH, f32> {
        let (gain, next) = self.position.with_score(category, score);
        let gain = gain + if further { bonus(self.solution, self.position) } else { 0 };
        let SolvedRows { rows, indices, levels } = self.solved;
        let row = &rows[usize::from(indices[usize::from(next.free().bits())])];
        let (chances, low, grid) = row.coarse_chances(&levels[next.free().len()], next);
        let at = (self.missing - gain as f32 - low) / grid.step as f32;
        let at = at.clamp(-(PAD as f32 - 1.0), grid.len as f32);
        let below = at.floor();
        let share = at - below;
        let chances = &chances[(below as i32 + PAD as i32) as usize..][..=BATCH];
        let mut values = [0.0; BATCH];
        for lane in 0..BATCH {
            let (low, high) = (f32::from(chances[lane]), f32::from(chances[lane + 1]));
            values[lane] = low + (high - low) * share;
        }
        values
    }
}
