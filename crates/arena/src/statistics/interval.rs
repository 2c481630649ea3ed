//! Confidence intervals.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::statistics_version::StatisticsVersion;
use super::student::{Z95, student_quantile};

/// Elo points per unit of log-strength: 400 for odds of ten to one.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// A confidence interval: at 95 %, unless its field or function names another confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// The interval of an estimate with this variance, `quantile` standard errors on either side.
    pub(crate) fn around(estimate: f64, variance: f64, quantile: f64) -> Self {
        let half = quantile * variance.max(0.0).sqrt();
        Self { low: estimate - half, high: estimate + half }
    }

    /// The normal 95 % interval of an estimate with this standard error. For few samples it is too narrow, unlike
    /// [`Interval::student`].
    #[must_use]
    pub fn from_standard_error(estimate: f64, error: f64) -> Self {
        let half = Z95 * error;
        Self { low: estimate - half, high: estimate + half }
    }

    /// The 95 % interval of an estimate whose standard error is itself estimated, from samples with `freedom` degrees of
    /// freedom, by Student's distribution; `None` without one.
    #[must_use]
    pub fn student(estimate: f64, error: f64, freedom: u64) -> Option<Self> {
        (freedom > 0).then(|| Self::around(estimate, error * error, student_quantile(freedom)))
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

/// A confidence interval that may have a single bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lower bound; `None` if the games bound the value from above only.
    pub low: Option<f64>,
    /// The upper bound; `None` if the games bound the value from below only.
    pub high: Option<f64>,
}

impl From<Interval> for Bounds {
    fn from(Interval { low, high }: Interval) -> Self {
        Self { low: Some(low), high: Some(high) }
    }
}

/// Two numbers, or null for a bound that is missing.
impl Serialize for Bounds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq([self.low.map(six_digits), self.high.map(six_digits)])
    }
}

impl<'de> Deserialize<'de> for Bounds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [low, high] = <[Option<f64>; 2]>::deserialize(deserializer)?;
        Ok(Self { low, high })
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
    wilson_at(wins, games, effective, Z95)
}

/// Wilson's interval with this quantile in place of the normal distribution's.
fn wilson_at(wins: f64, games: u64, effective: f64, quantile: f64) -> Option<Interval> {
    if games == 0 {
        return None;
    }
    let rate = wins / games as f64;
    let z2 = quantile * quantile;
    let scale = 1.0 + z2 / effective;
    let centre = (rate + z2 / (2.0 * effective)) / scale;
    let spread = rate * (1.0 - rate) / effective + z2 / (4.0 * effective * effective);
    let half = quantile * spread.sqrt() / scale;
    // The bounds at win rates of 0 and 1 are exactly 0 and 1; rounding must not hide that.
    let low = if wins == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if wins == games as f64 { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high })
}

/// The value at a position among ascending values, from 0; between two it is interpolated.
pub(crate) fn quantile(ascending: &[f64], position: f64) -> f64 {
    let (below, above) = (position.floor(), position.ceil());
    let (low, high) = (ascending[below as usize], ascending[above as usize]);
    low + (position - below) * (high - low)
}

/// The wins of an entrant in blocks of games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockWins {
    /// Half wins are allowed.
    pub(crate) wins: f64,
    pub(crate) games_per_block: u64,
    pub(crate) blocks: u64,
    /// The blocks less the pairings that they belong to.
    pub(crate) freedom: u64,
    /// The variance of `wins` that is observed between the blocks of each pairing; `None` if a pairing has a single one.
    pub(crate) variance: Option<f64>,
    pub(crate) version: StatisticsVersion,
}

impl BlockWins {
    /// Wilson's 95 % interval of the win rate, at an effective sample size that follows from the variance between blocks
    /// and with a quantile of Student's distribution, since that variance is an estimate; `None` without games.
    pub(crate) fn interval(&self) -> Option<Interval> {
        let games = self.blocks * self.games_per_block;
        let quantile = match (self.version, self.variance) {
            (StatisticsVersion::First, _) | (_, None) => Z95,
            (_, Some(_)) => student_quantile(self.freedom + 1),
        };
        wilson_at(self.wins, games, self.effective_games(), quantile)
    }

    /// The number of independent games whose win rate would have the same variance: at least the number of blocks, and
    /// at most, if the seats of a block cancel each other's luck, the number of games times the length of a block.
    ///
    /// One block whose games all go the same way is added to the observed ones, for rare wins may by chance never fall
    /// into the same block.
    fn effective_games(&self) -> f64 {
        let (blocks, length) = (self.blocks as f64, self.games_per_block as f64);
        let games = blocks * length;
        let rate = self.wins / games;
        let of_game = rate * (1.0 - rate);
        let variance = match (self.version, self.variance) {
            (StatisticsVersion::First, Some(observed)) => observed,
            (_, Some(observed)) => {
                let freedom = self.freedom as f64;
                let one_more = blocks * length * length * of_game;
                (freedom * observed + one_more) / (freedom + 1.0)
            }
            (_, None) => 0.0,
        };
        if variance > 0.0 {
            (games * (games * of_game) / variance).clamp(blocks, games * length)
        } else {
            blocks
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

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

    /// The effective games of 50 blocks of two games of which half are won.
    fn effective(version: StatisticsVersion, variance: Option<f64>) -> f64 {
        let wins = BlockWins {
            wins: 50.0,
            games_per_block: 2,
            blocks: 50,
            freedom: 49,
            variance,
            version,
        };
        wins.effective_games()
    }

    #[test]
    fn the_effective_sample_size_follows_from_the_variance_between_blocks() {
        // Variance of independent games, of blocks that count as one game each, and of blocks that cancel all luck; to
        // each is added the variance 50 of blocks that count as one game each, with a weight of 1 in 50.
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
        let second = |variance| effective(StatisticsVersion::Second, variance);
        assert!(near(second(Some(25.0)), 2500.0 / 25.5));
        assert!(near(second(Some(50.0)), 50.0));
        assert!(near(second(Some(0.0)), 200.0));
        assert!(near(second(None), 50.0));
        let first = |variance| effective(StatisticsVersion::First, variance);
        assert_eq!(
            [Some(25.0), Some(50.0), Some(0.1), Some(0.0), None].map(first),
            [100.0, 50.0, 200.0, 50.0, 50.0]
        );
    }

    /// The probability that the interval from 30 blocks holds the win rate; `wins[k]` is the probability of k wins in a
    /// block. It is exact but for results of a probability below 10⁻¹³.
    fn coverage(version: StatisticsVersion, wins: &[f64]) -> f64 {
        const BLOCKS: u64 = 30;
        let games_per_block = wins.len() as u64 - 1;
        let mean: f64 = (0u64..).zip(wins).map(|(count, chance)| count as f64 * chance).sum();
        let rate = mean / games_per_block as f64;
        // By the sum of wins and the sum of their squares.
        let mut results = BTreeMap::from([((0u64, 0u64), 1.0)]);
        for _ in 0..BLOCKS {
            let mut next = BTreeMap::new();
            for ((sum, squares), probability) in results {
                for (count, chance) in (0u64..).zip(wins) {
                    let result = (sum + count, squares + count * count);
                    *next.entry(result).or_insert(0.0) += probability * chance;
                }
            }
            results = next.into_iter().filter(|(_, probability)| *probability > 1e-13).collect();
        }
        let holds = |(sum, squares): (u64, u64)| {
            let (wins, n) = (sum as f64, BLOCKS as f64);
            let variance = Some((squares as f64 - wins * wins / n) * n / (n - 1.0));
            let freedom = BLOCKS - 1;
            let wins =
                BlockWins { wins, games_per_block, blocks: BLOCKS, freedom, variance, version };
            let Interval { low, high } = wins.interval().expect("games");
            low <= rate && rate <= high
        };
        results.into_iter().filter(|(result, _)| holds(*result)).map(|(_, chance)| chance).sum()
    }

    /// The wins in a block of independent games.
    fn independent(games: i32, rate: f64) -> Vec<f64> {
        let mut binomial = 1.0;
        let mut chance = |wins: i32| {
            let term = binomial * rate.powi(wins) * (1.0 - rate).powi(games - wins);
            binomial *= f64::from(games - wins) / f64::from(wins + 1);
            term
        };
        (0..=games).map(&mut chance).collect()
    }

    /// The wins in a block whose games have the same luck, in half of the blocks.
    fn half_shared(games: i32, rate: f64) -> Vec<f64> {
        let mut wins: Vec<f64> =
            independent(games, rate).iter().map(|chance| chance / 2.0).collect();
        wins[0] += (1.0 - rate) / 2.0;
        wins[games as usize] += rate / 2.0;
        wins
    }

    /// The wins in a block of two games, the second of which has the reversed luck of the first in half of the blocks.
    fn half_cancelled(games: i32, rate: f64) -> Vec<f64> {
        let both = (2.0 * rate - 1.0).max(0.0);
        let none = (1.0 - 2.0 * rate).max(0.0);
        let reversed = [none, 1.0 - both - none, both];
        let wins = independent(games, rate);
        wins.iter().zip(reversed).map(|(a, b)| f64::midpoint(*a, b)).collect()
    }

    #[test]
    fn intervals_from_30_blocks_hold_the_win_rate() {
        type Wins = fn(i32, f64) -> Vec<f64>;
        let cases: [(Wins, i32); 4] =
            [(independent, 2), (half_shared, 2), (half_cancelled, 2), (half_shared, 4)];
        let rates = [0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95];
        let of = |version, (wins, games): (Wins, i32)| {
            rates.map(|rate| coverage(version, &wins(games, rate)))
        };
        for case in cases {
            let shares = of(StatisticsVersion::Second, case);
            assert!(shares.iter().all(|share| (0.935..0.98).contains(share)), "{shares:?}");
        }
        // Without the correction, rare wins at tables of four that fall into one block.
        let first = of(StatisticsVersion::First, (half_shared, 4));
        assert!(first[0] < 0.9 && first[1] < 0.93, "{first:?}");
    }

    #[test]
    fn an_interval_from_few_blocks_is_wider_than_from_as_many_games() {
        let wins = |blocks| BlockWins {
            wins: blocks as f64,
            games_per_block: 2,
            blocks,
            freedom: blocks - 1,
            variance: Some(blocks as f64 / 2.0),
            version: StatisticsVersion::Second,
        };
        let half_width = |blocks| wins(blocks).interval().expect("games").half_width();
        let normal = |games: u64| wilson(games as f64 / 2.0, games, games as f64).expect("games");
        assert!(half_width(5) > 1.15 * normal(10).half_width());
        assert!(half_width(1000) < 1.002 * normal(2000).half_width());
    }
}
