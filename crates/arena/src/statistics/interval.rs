//! Intervals.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The normal distribution's two-sided 95 % point.
const Z95: f64 = 1.959_963_984_540_054;

/// Bounds of a 95 % interval.
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

    /// Wilson's 95 % interval for a share of `times` in `of` independent trials; `None` without any.
    #[must_use]
    pub fn of_share(times: u64, of: u64) -> Option<Self> {
        wilson(times as f64, of, of as f64)
    }

    /// Half the interval's width: what stands behind ±.
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

/// Wilson's 95 % interval for a share of `wins` in `games`, as if it rested on `effective` games.
///
/// Half wins are allowed. Source: E. B. Wilson, "Probable inference", JASA 22 (1927). `None` without
/// games.
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
    // The exact bounds of the extreme shares are 0 and 1; rounding must not hide that.
    let low = if wins == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if wins == games as f64 { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high })
}

/// As many independent games as would say as much about a share of wins as these games do, whose
/// number of wins has the variance `observed`: `least` to `most`, and `least` where nothing varies.
pub(crate) fn effective_games(
    wins: f64,
    games: u64,
    observed: Option<f64>,
    (least, most): (f64, f64),
) -> f64 {
    let games = games as f64;
    let rate = wins / games;
    let independent = games * rate * (1.0 - rate);
    match observed {
        Some(observed) if observed > 0.0 => (games * independent / observed).clamp(least, most),
        Some(_) | None => least,
    }
}

/// Whether a difference can be told from zero: 95 %, two-sided.
pub(crate) fn is_significant(difference: f64, variance: f64) -> bool {
    difference.abs() > Z95 * variance.max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_meets_the_specified_example() {
        let interval = wilson(998.0, 1000, 1000.0).unwrap();
        assert_eq!(format!("{:.3}", interval.low), "0.993");
        assert_eq!(format!("{:.3}", interval.high), "0.999");
        assert_eq!(wilson(0.0, 0, 0.0), None);
        assert_eq!(wilson(0.0, 7, 7.3).unwrap().low, 0.0);
        assert_eq!(wilson(7.0, 7, 7.3).unwrap().high, 1.0);
    }

    #[test]
    fn blocks_say_as_much_as_they_vary() {
        // As independent games do, as one game a block does, and with all luck cancelled.
        let effective = |observed| effective_games(50.0, 100, observed, (50.0, 200.0));
        assert_eq!(effective(Some(25.0)), 100.0);
        assert_eq!(effective(Some(50.0)), 50.0);
        assert_eq!(effective(Some(0.1)), 200.0);
        assert_eq!(effective(Some(0.0)), 50.0);
        assert_eq!(effective(None), 50.0);
    }
}
