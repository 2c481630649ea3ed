//! Whether a mean is above or below zero, to be asked after every value.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::bets::{Sides, weighted};
use crate::{Confidence, Interval};

/// Halvings in search of a bound: far below six digits.
const HALVINGS: u32 = 50;

/// An interval for a mean that holds at all times at once, after every value.
///
/// The values are whole numbers in `-bound..=bound`; they come in any way in which the expectation
/// of the next, whatever came before, is the mean. Nothing else is asked of them: they may be skewed, with
/// heavy tails or many ties, and the guarantee is exact for any number of them. With probability
/// `confidence` the interval holds the mean after the first value and the second and so on, and so one
/// may look after each and stop as one likes: under a mean of zero the chance that
/// [`ConfidenceSequence::separated`] ever says something is at most one minus the confidence.
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
///     sequence.separated(confidence).is_some()
/// });
/// assert_eq!(decided, Some(20));
/// assert_eq!(sequence.separated(confidence), Some(Ordering::Greater));
/// assert!(sequence.interval(confidence).low > 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct ConfidenceSequence {
    sides: Sides,
    counts: Counts,
}

impl ConfidenceSequence {
    /// A sequence without values, which lie in `-bound..=bound`.
    ///
    /// # Panics
    /// If the bound is 0.
    #[must_use]
    pub const fn new(bound: u64) -> Self {
        Self { sides: Sides::new(bound), counts: Counts::new() }
    }

    /// Takes the next value.
    ///
    /// # Panics
    /// If it is out of bounds.
    pub fn add(&mut self, value: i64) {
        self.sides.add(value);
        self.counts.add(value);
    }

    /// On which side of zero the mean is, if that can be said.
    #[must_use]
    pub fn separated(&self, confidence: Confidence) -> Option<Ordering> {
        let needed = needed(confidence);
        if self.sides.above.evidence() >= needed {
            Some(Ordering::Greater)
        } else if self.sides.below.evidence() >= needed {
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

    /// Between which bounds the mean is.
    #[must_use]
    pub fn interval(&self, confidence: Confidence) -> Interval {
        self.counts.interval(self.sides.bound, confidence)
    }
}

/// Either side may err with half the probability.
fn needed(confidence: Confidence) -> f64 {
    2.0 / confidence.error()
}

/// How often each value has come: what an interval is computed from.
#[derive(Clone, Debug)]
pub(crate) struct Counts(BTreeMap<i64, u64>);

impl Counts {
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
            lower_bound(&counts, bound as f64, needed(confidence))
        };
        Interval { low: low(1), high: -low(-1) }
    }
}

/// The highest mean at which there still is the evidence that is needed to be above it. At a
/// mean m the gains are (value - m) / (bound + m), so that the wealth of each bet falls as m rises.
fn lower_bound(values: &[(f64, f64)], bound: f64, needed: f64) -> f64 {
    let (mut low, mut high) = (-bound, bound);
    for _ in 0..HALVINGS {
        let mean = f64::midpoint(low, high);
        if evidence(values, bound, mean) >= needed { low = mean } else { high = mean }
    }
    low
}

fn evidence(values: &[(f64, f64)], bound: f64, mean: f64) -> f64 {
    weighted(|stake| {
        let share = 1.0 / (1u64 << stake) as f64;
        let growth = |(value, times): &(f64, f64)| {
            times * libm::log1p(share * ((value - mean) / (bound + mean)).max(-1.0))
        };
        libm::exp(values.iter().map(growth).sum::<f64>())
    })
}
