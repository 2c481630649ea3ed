//! Win probabilities of the positions with the same free boxes.

use crate::yahtzee::contest::level::{Grid, Level, PAD};
use crate::yahtzee::game::position::Position;
use crate::yahtzee::values::table::BonusState;

/// Probabilities are stored in units of 1/65535.
pub(crate) const UNIT: f32 = 65535.0;

/// Win probabilities of the positions with the same free boxes.
#[derive(Default)]
pub(crate) struct ChanceRow {
    /// By position index: the number of its probabilities. Equivalent positions share them.
    pub(crate) numbers: Vec<u8>,
    /// By number: the missing points of the first probability.
    pub(crate) lows: Vec<f32>,
    /// By number: the probabilities after the turn, padded by `PAD` copies at both ends.
    pub(crate) chances: Vec<u16>,
    /// The probabilities on the grid of the level with one more box, if that is coarser.
    pub(crate) coarse: Vec<u16>,
}

impl ChanceRow {
    /// The probability with `missing` points missing, interpolated.
    pub(crate) fn chance(&self, grid: Grid, position: Position, missing: f64) -> f64 {
        let number = self.number(position);
        let chances = &self.chances[number * grid.stride()..][..grid.stride()];
        let at = (missing - f64::from(self.lows[number])) / grid.step as f64;
        let at = at.clamp(-1.0, grid.len as f64);
        let index = (at.floor() as i32 + PAD as i32) as usize;
        let [low, high] = [index, index + 1].map(|index| f64::from(chances[index]));
        (low + (high - low) * (at - at.floor())) / f64::from(UNIT)
    }

    /// The probabilities on the grid of the level with one more box, and the missing points of the
    /// first.
    #[inline(always)]
    pub(crate) fn coarse_chances(&self, level: &Level, position: Position) -> (&[u16], f32, Grid) {
        let number = self.number(position);
        let (grid, ratio) = level.coarse();
        let chances = if ratio == 1 { &self.chances } else { &self.coarse };
        (&chances[number * grid.stride()..][..grid.stride()], self.lows[number], grid)
    }

    #[inline(always)]
    fn number(&self, position: Position) -> usize {
        usize::from(self.numbers[BonusState::of(position).index(0)])
    }

    /// Frees what only the level with one more box needs.
    pub(crate) fn finish(&mut self) {
        self.coarse = Vec::new();
        self.chances.shrink_to_fit();
    }

    /// The size in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.chances) + size_of_val(&*self.lows) + size_of_val(&*self.numbers)
    }
}
