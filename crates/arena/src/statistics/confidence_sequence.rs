//! An interval for a mean that stays valid after every value.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::statistics::test_martingale::{STAKES, TwoSidedTest, mixture};
use crate::{Confidence, Interval};

/// Bisection steps for a bound: far more precise than the six digits of documents.
const BISECTION_STEPS: u32 = 50;

/// A confidence sequence: intervals for a mean that are valid at all sample sizes simultaneously.
///
/// The values are integers in `-bound..=bound`. The expectation of each, given the earlier ones, must be the mean.
/// Nothing else is assumed: they may be skewed, with heavy tails or many ties, and the guarantee is exact for any
/// number of them. With probability `confidence` all intervals, after each value, contain
/// the mean. So the caller may look after each value and stop at will: if the mean is zero,
/// [`ConfidenceSequence::sign`] is ever `Some` with probability at most one minus the confidence.
///
/// ```
/// use std::cmp::Ordering;
/// use dicehill_arena::{Confidence, ConfidenceSequence};
///
/// let confidence = Confidence::new(0.99).unwrap();
/// let mut sequence = ConfidenceSequence::new(2);
/// let lead = [2, 0, 1, -1, 2, 1, 0, 2, 2, 1];
/// let decided = lead.iter().cycle().position(|lead| {
///     sequence.add(*lead);
///     sequence.sign(confidence).is_some()
/// });
/// assert_eq!(decided, Some(20));
/// assert_eq!(sequence.sign(confidence), Some(Ordering::Greater));
/// assert!(sequence.interval(confidence).low > 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct ConfidenceSequence {
    test: TwoSidedTest,
    counts: ValueCounts,
}

impl ConfidenceSequence {
    /// An empty sequence for values in `-bound..=bound`.
    ///
    /// # Panics
    /// If the bound is 0.
    #[must_use]
    pub const fn new(bound: u64) -> Self {
        Self { test: TwoSidedTest::new(bound), counts: ValueCounts::new() }
    }

    /// Adds the next value.
    ///
    /// # Panics
    /// If it is out of bounds.
    pub fn add(&mut self, value: i64) {
        self.test.add(value);
        self.counts.add(value);
    }

    /// The sign of the mean, once it is decided at this confidence.
    #[must_use]
    pub fn sign(&self, confidence: Confidence) -> Option<Ordering> {
        let threshold = threshold(confidence);
        if self.test.above.e_value() >= threshold {
            Some(Ordering::Greater)
        } else if self.test.below.e_value() >= threshold {
            Some(Ordering::Less)
        } else {
            None
        }
    }

    /// The arithmetic mean of the values; `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        self.counts.mean()
    }

    /// The interval for the mean.
    #[must_use]
    pub fn interval(&self, confidence: Confidence) -> Interval {
        self.counts.interval(self.test.bound, confidence)
    }
}

/// The wealth that decides: each side may err with half the probability.
fn threshold(confidence: Confidence) -> f64 {
    2.0 / confidence.error_probability()
}

/// How often each value occurred: all that an interval is computed from.
#[derive(Clone, Debug)]
pub(crate) struct ValueCounts(BTreeMap<i64, u64>);

impl ValueCounts {
    pub(crate) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    pub(crate) fn add(&mut self, value: i64) {
        *self.0.entry(value).or_default() += 1;
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        let count: u64 = self.0.values().sum();
        let product = |(value, times): (&i64, &u64)| i128::from(*value) * i128::from(*times);
        let sum: i128 = self.0.iter().map(product).sum();
        (count > 0).then(|| sum as f64 / count as f64)
    }

    pub(crate) fn interval(&self, bound: u64, confidence: Confidence) -> Interval {
        let low = |sign: i64| {
            let counted = |(value, times): (&i64, &u64)| ((sign * value) as f64, *times as f64);
            let counts: Vec<_> = self.0.iter().map(counted).collect();
            lower_bound(&counts, bound as f64, threshold(confidence))
        };
        Interval { low: low(1), high: -low(-1) }
    }
}

/// The highest mean that the values exceed with an e-value of at least `threshold`. At a mean m the gains are
/// (value - m) / (bound + m), so the wealth of each bet falls as m rises and bisection applies.
fn lower_bound(values: &[(f64, f64)], bound: f64, threshold: f64) -> f64 {
    let (mut low, mut high) = (-bound, bound);
    for _ in 0..BISECTION_STEPS {
        let mean = f64::midpoint(low, high);
        if e_value(values, bound, mean) >= threshold { low = mean } else { high = mean }
    }
    low
}

fn e_value(values: &[(f64, f64)], bound: f64, mean: f64) -> f64 {
    mixture(&STAKES.map(|stake| {
        let growth = |(value, times): &(f64, f64)| {
            times * libm::log1p(stake * ((value - mean) / (bound + mean)).max(-1.0))
        };
        libm::exp(values.iter().map(growth).sum::<f64>())
    }))
}
