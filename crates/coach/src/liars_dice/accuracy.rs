//! Shares, and how often something came true against how often the odds let expect it.

use dicehill_arena::Interval;

/// How many of some things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Those that count.
    pub times: u64,
    /// All of them.
    pub of: u64,
}

impl Share {
    /// Counts one more.
    pub(super) fn add(&mut self, counts: bool) {
        self.of += 1;
        self.times += u64::from(counts);
    }

    /// The share, 0 to 1; `None` of nothing.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.times as f64 / self.of as f64)
    }

    /// Its 95 % interval by Wilson, which takes all of them for independent.
    #[must_use]
    pub fn interval(self) -> Option<Interval> {
        Interval::of_share(self.times, self.of)
    }
}

/// Claims that came true, against their odds: in every run, `expected` + `beyond_odds()` = `came_true.times`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Those that came true.
    pub came_true: Share,
    /// How many should have, by the odds: the sum of all chances.
    pub expected: f64,
    /// The variance of that number if the odds are right and all claims are independent.
    pub variance: f64,
}

impl Accuracy {
    pub(super) fn add(&mut self, chance: f64, came_true: bool) {
        self.came_true.add(came_true);
        self.expected += chance;
        self.variance += chance * (1.0 - chance);
    }

    /// How many more came true than the odds let expect: luck, and whatever bids told that one's own dice do not.
    #[must_use]
    pub fn beyond_odds(&self) -> f64 {
        self.came_true.times as f64 - self.expected
    }

    /// The standard deviation of that where nothing but luck is at work.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// The share that the odds let expect; `None` without claims.
    #[must_use]
    pub fn expected_share(&self) -> Option<f64> {
        (self.came_true.of > 0).then(|| self.expected / self.came_true.of as f64)
    }
}
