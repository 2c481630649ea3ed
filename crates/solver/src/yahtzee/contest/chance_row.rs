//! Chances of positions with the same free boxes.

use crate::yahtzee::contest::level::{Grid, Level, PAD};
use crate::yahtzee::game::position::Position;
use crate::yahtzee::values::table::Lane;

/// Chances are kept as multiples of 1/65535.
pub(crate) const UNIT: f32 = 65535.0;

/// Chances of positions with the same free boxes.
#[derive(Default)]
pub(crate) struct Row {
    /// Which of the row's positions it is, by its place.
    pub(crate) numbers: Vec<u8>,
    /// By position: the missing points of its first chance.
    pub(crate) lows: Vec<f32>,
    /// By position: chances after the turn, with `PAD` more at both ends.
    pub(crate) chances: Vec<u16>,
    /// The same in the steps of the level with one more box, if they are others.
    pub(crate) coarse: Vec<u16>,
}

impl Row {
    /// The chance with so many points missing.
    pub(crate) fn chance(&self, grid: Grid, position: Position, missing: f64) -> f64 {
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
    pub(crate) fn coarse_chances(&self, level: &Level, position: Position) -> (&[u16], f32, Grid) {
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
    pub(crate) fn finish(&mut self) {
        self.coarse = Vec::new();
        self.chances.shrink_to_fit();
    }

    /// Bytes of memory.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.chances) + size_of_val(&*self.lows) + size_of_val(&*self.numbers)
    }
}
