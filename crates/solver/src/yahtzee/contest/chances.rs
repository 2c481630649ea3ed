//! What filling a box leads to, with many numbers of missing points.

use dicehill_rules::yahtzee::Category;

use super::level::{AT_ONCE, PAD};
use super::{Known, bonus};
use crate::yahtzee::box_values::Outlook;
use crate::yahtzee::hand_values::Lanes;
use crate::yahtzee::{Position, Solution};

/// A position with [`AT_ONCE`] numbers of missing points.
pub(super) struct Chances<'a> {
    pub(super) solution: &'a Solution,
    pub(super) known: Known<'a>,
    pub(super) position: Position,
    /// The first number of missing points; the others follow in steps of the position's level.
    pub(super) missing: f32,
}

impl Outlook<AT_ONCE, f32> for Chances<'_> {
    /// In units of [`super::row::UNIT`].
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
