//! What filling a box leads to, with many numbers of missing points.

use dicehill_rules::yahtzee::Category;

use crate::yahtzee::contest::level::{AT_ONCE, PAD};
use crate::yahtzee::contest::solved_rows::{Known, bonus};
use crate::yahtzee::game::position::Position;
use crate::yahtzee::turns::box_values::Outlook;
use crate::yahtzee::turns::hand_values::Lanes;
use crate::yahtzee::values::solution::Solution;

/// A position with [`AT_ONCE`] numbers of missing points.
pub(crate) struct Chances<'a> {
    pub(crate) solution: &'a Solution,
    pub(crate) known: Known<'a>,
    pub(crate) position: Position,
    /// The first number of missing points; the others follow in steps of the position's level.
    pub(crate) missing: f32,
}

impl Outlook<AT_ONCE, f32> for Chances<'_> {
    /// In units of [`crate::yahtzee::contest::chance_row::UNIT`].
    #[inline(always)]
    fn worth(&self, category: Category, score: u8, further: bool) -> Lanes<AT_ONCE, f32> {
        let (gain, next) = self.position.with_score(category, score);
        let gain = gain + if further { bonus(self.solution, self.position) } else { 0 };
        let Known { rows, places, levels } = self.known;
        let row = &rows[usize::from(places[usize::from(next.free().bits())])];
        let (chances, low, grid) = row.coarse_chances(&levels[next.free().len()], next);
        let at = (self.missing - gain as f32 - low) / grid.step as f32;
        let at = at.clamp(-(PAD as f32 - 1.0), grid.len as f32);
        let below = at.floor();
        let share = at - below;
        let chances = &chances[(below as i32 + PAD as i32) as usize..][..=AT_ONCE];
        let mut worth = [0.0; AT_ONCE];
        for lane in 0..AT_ONCE {
            let (low, high) = (f32::from(chances[lane]), f32::from(chances[lane + 1]));
            worth[lane] = low + (high - low) * share;
        }
        worth
    }
}
