//! Claims with similar probabilities.

use super::Accuracy;

/// The claims with a probability in one tenth of the range from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Band {
    /// How often they came true, against their odds.
    pub accuracy: Accuracy,
    /// The number of called bids; for calls, of all.
    pub called: u64,
}

impl Band {
    /// The number of bands.
    pub const COUNT: usize = 10;

    /// The band of a probability, 0 to 9. A bound belongs to the band above it, and 1 to the last
    /// band.
    #[must_use]
    pub fn index(chance: f64) -> usize {
        ((chance * Self::COUNT as f64) as usize).min(Self::COUNT - 1)
    }

    /// The bounds of a band in percent.
    #[must_use]
    pub const fn bounds(index: usize) -> [usize; 2] {
        [index * 100 / Self::COUNT, (index + 1) * 100 / Self::COUNT]
    }

    pub(super) fn add(&mut self, chance: f64, came_true: bool, called: bool) {
        self.accuracy.add(chance, came_true);
        self.called += u64::from(called);
    }
}
