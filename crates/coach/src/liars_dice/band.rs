//! Claims of about the same chance.

use super::Accuracy;

/// Claims whose chances are in the same tenth of 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Band {
    /// How often they came true.
    pub accuracy: Accuracy,
    /// Of bids, those that were called; of calls, all.
    pub called: u64,
}

impl Band {
    /// Bands from 0 to 1.
    pub const COUNT: usize = 10;

    /// The band of a chance, 0 to 9. A chance on a bound belongs to the band above it, and certainty to the last one.
    #[must_use]
    pub fn index(chance: f64) -> usize {
        ((chance * Self::COUNT as f64) as usize).min(Self::COUNT - 1)
    }

    /// The bounds of a band, in percent.
    #[must_use]
    pub const fn bounds(index: usize) -> [usize; 2] {
        [index * 100 / Self::COUNT, (index + 1) * 100 / Self::COUNT]
    }

    pub(super) fn add(&mut self, chance: f64, came_true: bool, called: bool) {
        self.accuracy.add(chance, came_true);
        self.called += u64::from(called);
    }
}
