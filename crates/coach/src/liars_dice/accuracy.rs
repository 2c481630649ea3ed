//! Shares, and how often claims came true compared with their odds.

use dicehill_arena::Interval;

/// A count out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The count.
    pub times: u64,
    /// The total.
    pub of: u64,
}

impl Share {
    /// Adds one item to the total, and to the count if it `counts`.
    pub(super) fn add(&mut self, counts: bool) {
        self.of += 1;
        self.times += u64::from(counts);
    }

    /// The share, 0 to 1; `None` if the total is 0.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.times as f64 / self.of as f64)
    }

    /// The Wilson 95 % interval of the share, which assumes independent items.
    #[must_use]
    pub fn interval(self) -> Option<Interval> {
        Interval::wilson(self.times, self.of)
    }
}

/// Claims that came true, compared with their odds: `expected` + `beyond_odds()` =
/// `came_true.times`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// The claims that came true.
    pub came_true: Share,
    /// The expected number of claims that come true: the sum of their probabilities.
    pub expected: f64,
    /// The variance of that number if the odds are right and the claims independent.
    pub variance: f64,
}

impl Accuracy {
    pub(super) fn add(&mut self, chance: f64, came_true: bool) {
        self.came_true.add(came_true);
        self.expected += chance;
        self.variance += chance * (1.0 - chance);
    }

    /// The number of claims that came true minus its expectation. It is due to luck and to
    /// information in the other players' bids.
    #[must_use]
    pub fn beyond_odds(&self) -> f64 {
        self.came_true.times as f64 - self.expected
    }

    /// The standard deviation of that number if only luck matters.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// The expected share; `None` without claims.
    #[must_use]
    pub fn expected_share(&self) -> Option<f64> {
        (self.came_true.of > 0).then(|| self.expected / self.came_true.of as f64)
    }
}
