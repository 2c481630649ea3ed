//! Confidence intervals.

use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The 97.5 % quantile of the standard normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// A confidence interval: at 95 %, unless its field or function names another confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// The normal interval of an estimate with this variance.
    pub(crate) fn normal(estimate: f64, variance: f64) -> Self {
        let half = Z95 * variance.max(0.0).sqrt();
        Self { low: estimate - half, high: estimate + half }
    }

    /// Wilson's 95 % interval for the probability of an event that occurred `successes` times in `trials`
    /// independent trials; `None` without trials.
    #[must_use]
    pub fn wilson(successes: u64, trials: u64) -> Option<Self> {
        wilson(successes as f64, trials, trials as f64)
    }

    /// Half the interval's width: the number after ±.
    #[must_use]
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq([six_digits(self.low), six_digits(self.high)])
    }
}

impl<'de> Deserialize<'de> for Interval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [low, high] = <[f64; 2]>::deserialize(deserializer)?;
        Ok(Self { low, high })
    }
}

/// A number rounded to six significant digits, as documents print it.
///
/// ```
/// assert_eq!(dicehill_arena::six_digits(190.872_345), 190.872);
/// assert_eq!(dicehill_arena::six_digits(2.0 / 3.0), 0.666667);
/// ```
#[must_use]
pub fn six_digits(value: f64) -> f64 {
    if value.is_finite() {
        format!("{value:.5e}").parse().expect("a number as Rust writes it")
    } else {
        value
    }
}

/// Wilson's 95 % interval for the win rate `wins / games`, at an effective sample size of `effective` games.
///
/// Half wins are allowed. Source: E. B. Wilson, "Probable inference", JASA 22 (1927). `None` without games.
pub(crate) fn wilson(wins: f64, games: u64, effective: f64) -> Option<Interval> {
    if games == 0 {
        return None;
    }
    let rate = wins / games as f64;
    let z2 = Z95 * Z95;
    let scale = 1.0 + z2 / effective;
    let centre = (rate + z2 / (2.0 * effective)) / scale;
    let spread = rate * (1.0 - rate) / effective + z2 / (4.0 * effective * effective);
    let half = Z95 * spread.sqrt() / scale;
    // The bounds at win rates of 0 and 1 are exactly 0 and 1; rounding must not hide that.
    let low = if wins == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if wins == games as f64 { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high })
}

/// The effective sample size: the number of independent games whose win rate would have the same variance. `observed`
/// is the variance of the number of wins. The result is in `range`, at its start without variance.
pub(crate) fn effective_games(
    wins: f64,
    games: u64,
    observed: Option<f64>,
    range: RangeInclusive<f64>,
) -> f64 {
    let games = games as f64;
    let rate = wins / games;
    let independent = games * rate * (1.0 - rate);
    match observed {
        Some(observed) if observed > 0.0 => {
            (games * independent / observed).clamp(*range.start(), *range.end())
        }
        Some(_) | None => *range.start(),
    }
}

/// Whether a difference is significant: two-sided, at the 95 % level.
pub(crate) fn is_significant(difference: f64, variance: f64) -> bool {
    difference.abs() > Z95 * variance.max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_gives_the_specified_example() {
        let interval = wilson(998.0, 1000, 1000.0).unwrap();
        assert_eq!(format!("{:.3}", interval.low), "0.993");
        assert_eq!(format!("{:.3}", interval.high), "0.999");
        assert_eq!(wilson(0.0, 0, 0.0), None);
        assert_eq!(wilson(0.0, 7, 7.3).unwrap().low, 0.0);
        assert_eq!(wilson(7.0, 7, 7.3).unwrap().high, 1.0);
    }

    #[test]
    fn the_effective_sample_size_follows_from_the_variance() {
        // Variance of independent games, of blocks that count as one game each, and of blocks that cancel all luck.
        let effective = |observed| effective_games(50.0, 100, observed, 50.0..=200.0);
        assert_eq!(effective(Some(25.0)), 100.0);
        assert_eq!(effective(Some(50.0)), 50.0);
        assert_eq!(effective(Some(0.1)), 200.0);
        assert_eq!(effective(Some(0.0)), 50.0);
        assert_eq!(effective(None), 50.0);
    }
}
