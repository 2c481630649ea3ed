//! The loss of an entrant's decisions, and its luck-adjusted score and points.

use serde::{Deserialize, Serialize};

use crate::standings::ledger::{EntrantSums, Stratum};
use crate::standings::result::rounded::{optional_six_digits, six_digits_of};
use crate::standings::result::samples::{freedom, variance_of_sum};
use crate::statistics::{Adjusted, StratumSums, Sums, Z95, adjust, student_quantile};
use crate::{Interval, StartValue, StatisticsVersion};

/// Losses are stored in millionths of a point.
const MILLION: f64 = 1e6;
/// A variance of at most this share of another is a rounding error of 0.
const ROUNDING_TOLERANCE: f64 = 1e-12;

/// An entrant's loss and luck-adjusted score and points. Everything is `None` if a game was not appraised.
///
/// A loss is expected score given up against play that maximises the score. A bot that plays to win may give up score
/// on purpose, and is no worse for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Luck {
    /// The mean loss per game.
    #[serde(serialize_with = "optional_six_digits")]
    pub loss: Option<f64>,
    /// The standard error of the loss, and so of the luck-adjusted score; `None` for fewer than two samples.
    #[serde(serialize_with = "optional_six_digits")]
    pub se: Option<f64>,
    /// The 95 % interval of the loss, by Student's distribution; `None` for fewer than two samples, and in documents before
    /// `"statistics": 4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_ci95: Option<Interval>,
    /// The luck-adjusted mean score: the start value minus the loss.
    #[serde(serialize_with = "optional_six_digits")]
    pub score: Option<f64>,
    /// The variance of the mean score divided by that of the luck-adjusted score; `None` if either is unknown or the
    /// latter is 0.
    #[serde(serialize_with = "optional_six_digits")]
    pub variance_ratio: Option<f64>,
    /// Points per game; `None` for too few samples, or if all samples have the same points.
    pub points: Option<AdjustedPoints>,
}

/// Points per game, plain and luck-adjusted. The ranking uses the plain ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdjustedPoints {
    /// Plain, without play-offs and votes.
    #[serde(serialize_with = "six_digits_of")]
    pub plain: f64,
    /// Their 95 % interval.
    pub plain_ci95: Interval,
    /// Luck-adjusted.
    #[serde(serialize_with = "six_digits_of")]
    pub adjusted: f64,
    /// Its 95 % interval.
    pub adjusted_ci95: Interval,
    /// The variance of the plain mean divided by that of the adjusted one; below 1 if luck does not explain points.
    /// `None` if the latter is 0.
    #[serde(serialize_with = "optional_six_digits")]
    pub variance_ratio: Option<f64>,
    /// The number of control variates used.
    pub controls: usize,
}

impl Luck {
    /// The 95 % interval of the loss; of a document that has none, the normal one.
    #[must_use]
    pub fn loss_interval(&self) -> Option<Interval> {
        self.loss_ci95.or_else(|| Some(Interval::from_standard_error(self.loss?, self.se?)))
    }

    /// The 95 % interval of the luck-adjusted score.
    #[must_use]
    pub fn score_interval(&self) -> Option<Interval> {
        let Interval { low, high } = self.loss_interval()?;
        let (score, loss) = (self.score?, self.loss?);
        Some(Interval { low: score - (high - loss), high: score + (loss - low) })
    }
}

/// The luck of an entrant with these sums. `strata` are its pairings; their samples are blocks of `block` games, or
/// single games in a challenge.
pub(super) fn luck(
    start: StartValue,
    sums: &EntrantSums,
    strata: &[(&Stratum, usize)],
    block: Option<u64>,
    version: StatisticsVersion,
) -> Luck {
    if sums.games == 0 || sums.loss.count < sums.games {
        return Luck::default();
    }
    let games = sums.games as f64;
    let in_games = |sums: &Sums| sums.variance().map(|variance| variance * games);
    let [plain, loss_variance] = match block {
        None => [in_games(&sums.figures[0].sums), in_games(&sums.loss)],
        Some(_) => [variance_of_sum(strata, |stratum| &stratum.figure), variance_of_loss(strata)],
    };
    let plain = plain.map(|plain| plain / (games * games));
    let variance =
        loss_variance.map(|loss_variance| loss_variance / (games * games * MILLION * MILLION));
    let loss = sums.loss.mean().map(|loss| loss / MILLION);
    let se = variance.map(f64::sqrt);
    let freedom = block.map_or(sums.games.saturating_sub(1), |_| freedom(strata));
    let known = loss.zip(se).filter(|_| version.has_student_means());
    let sampled = |length| strata.iter().map(|(stratum, _)| stratum.samples * length).sum();
    Luck {
        loss,
        se,
        loss_ci95: known.and_then(|(loss, se)| Interval::student(loss, se, freedom)),
        score: loss.map(|loss| start.points() - loss),
        variance_ratio: plain.zip(variance).and_then(|(plain, variance)| ratio(plain, variance)),
        points: points(strata, block.map_or(sums.games, sampled), version),
    }
}

/// The variance of the sum of losses over all samples; `None` if a pairing has a single one.
fn variance_of_loss(strata: &[(&Stratum, usize)]) -> Option<f64> {
    let each = |(stratum, place): &(&Stratum, usize)| {
        let variance = stratum.luck.as_ref()?.loss[*place].variance()?;
        Some(variance * stratum.samples as f64)
    };
    strata.iter().map(each).sum()
}

/// Points per game, over `games` games.
fn points(
    strata: &[(&Stratum, usize)],
    games: u64,
    version: StatisticsVersion,
) -> Option<AdjustedPoints> {
    let sums_of = |(stratum, place): &(&Stratum, usize)| {
        let moments = stratum.luck.as_ref()?.moments[*place];
        Some((stratum.points[*place], moments))
    };
    let sums = strata.iter().map(sums_of).collect::<Option<Vec<_>>>()?;
    let of_strata: Vec<_> =
        sums.iter().map(|(values, moments)| StratumSums { values, moments }).collect();
    let Adjusted { plain, plain_variance, sum, variance, controls } = adjust(&of_strata)?;
    let games = games as f64;
    let freedom = freedom(strata);
    let mean = |sum: f64, variance: f64, freedom: u64| {
        let quantile = if version.has_student_means() { student_quantile(freedom) } else { Z95 };
        (sum / games, Interval::around(sum / games, variance / (games * games), quantile))
    };
    let ((plain, plain_ci95), (adjusted, adjusted_ci95)) =
        (mean(plain, plain_variance, freedom), mean(sum, variance, freedom - controls as u64));
    let variance_ratio = ratio(plain_variance, variance);
    Some(AdjustedPoints { plain, plain_ci95, adjusted, adjusted_ci95, variance_ratio, controls })
}

/// The ratio of two variances; `None` if the divisor is 0.
fn ratio(plain: f64, adjusted: f64) -> Option<f64> {
    (adjusted > ROUNDING_TOLERANCE * plain).then(|| plain / adjusted)
}
