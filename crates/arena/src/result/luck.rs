//! What decisions cost, and what an entrant came to without the luck that is known.

use serde::{Deserialize, Serialize};

use super::{optional_six_digits, six_digits_of, variance_of_sum};
use crate::StartValue;
use crate::ledger::{Row, Stratum};
use crate::statistics::{Adjusted, Interval, Part, Sums, adjust};

/// Losses are kept in millionths of a point.
const MILLION: f64 = 1e6;
/// A variance of no more than this share of another is none.
const NOTHING: f64 = 1e-12;

/// An entrant's scores and points without luck. All of it is unknown if some game was not appraised.
///
/// A loss is one of expected score against play that is optimal for the score. Who plays to win may give
/// up score on purpose, and is no worse for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Luck {
    /// The expected score that decisions cost, a game.
    #[serde(serialize_with = "optional_six_digits")]
    pub loss: Option<f64>,
    /// The standard error of the loss, and so of the score without luck; `None` of fewer than two samples.
    #[serde(serialize_with = "optional_six_digits")]
    pub se: Option<f64>,
    /// The mean score without luck: the start value minus the loss.
    #[serde(serialize_with = "optional_six_digits")]
    pub score: Option<f64>,
    /// The variance of the mean score divided by that of the score without luck; `None` if one is not known
    /// or the latter is 0.
    #[serde(serialize_with = "optional_six_digits")]
    pub variance_ratio: Option<f64>,
    /// Points a game; `None` of too few samples, or if all have the same points.
    pub points: Option<AdjustedPoints>,
}

/// Points a game, as they are and without the luck that is known. Nobody is ranked by the latter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdjustedPoints {
    /// As they are, play-offs and votes aside.
    #[serde(serialize_with = "six_digits_of")]
    pub plain: f64,
    /// Their 95 % interval.
    pub plain_ci95: Interval,
    /// Without luck.
    #[serde(serialize_with = "six_digits_of")]
    pub adjusted: f64,
    /// Its 95 % interval.
    pub adjusted_ci95: Interval,
    /// The variance of the plain mean divided by that of the adjusted one: below 1 if luck tells nothing of the
    /// points. `None` if the latter is 0.
    #[serde(serialize_with = "optional_six_digits")]
    pub variance_ratio: Option<f64>,
    /// Control variates that were used.
    pub controls: usize,
}

/// The luck of an entrant with these sums; `parts` are its pairings, whose samples are blocks of so many games,
/// or single ones in a challenge.
pub(super) fn luck(
    start: StartValue,
    row: &Row,
    parts: &[(&Stratum, usize)],
    block: Option<u64>,
) -> Luck {
    if row.games == 0 || row.loss.count < row.games {
        return Luck::default();
    }
    let games = row.games as f64;
    let in_games = |sums: &Sums| sums.variance().map(|variance| variance * games);
    let [plain, lossy] = match block {
        None => [in_games(&row.figures[0].sums), in_games(&row.loss)],
        Some(_) => [variance_of_sum(parts, |stratum| &stratum.figure), variance_of_loss(parts)],
    };
    let plain = plain.map(|plain| plain / (games * games));
    let variance = lossy.map(|lossy| lossy / (games * games * MILLION * MILLION));
    let loss = row.loss.mean().map(|loss| loss / MILLION);
    let sampled = |length| parts.iter().map(|(stratum, _)| stratum.samples * length).sum();
    Luck {
        loss,
        se: variance.map(f64::sqrt),
        score: loss.map(|loss| start.points() - loss),
        variance_ratio: plain.zip(variance).and_then(|(plain, variance)| ratio(plain, variance)),
        points: points(parts, block.map_or(row.games, sampled)),
    }
}

/// Variance of the sum of losses over all samples; `None` if some pairing has a single one.
fn variance_of_loss(parts: &[(&Stratum, usize)]) -> Option<f64> {
    let each = |(stratum, place): &(&Stratum, usize)| {
        let variance = stratum.luck.as_ref()?.loss[*place].variance()?;
        Some(variance * stratum.samples as f64)
    };
    parts.iter().map(each).sum()
}

/// Points a game, of so many games.
fn points(parts: &[(&Stratum, usize)], games: u64) -> Option<AdjustedPoints> {
    let part = |(stratum, place): &(&Stratum, usize)| {
        let moments = stratum.luck.as_ref()?.moments[*place];
        Some((stratum.points[*place], moments))
    };
    let sums = parts.iter().map(part).collect::<Option<Vec<_>>>()?;
    let parts: Vec<_> = sums.iter().map(|(values, moments)| Part { values, moments }).collect();
    let Adjusted { plain, plain_variance, sum, variance, controls } = adjust(&parts)?;
    let games = games as f64;
    let mean = |sum: f64, variance: f64| {
        (sum / games, Interval::normal(sum / games, variance / (games * games)))
    };
    let ((plain, plain_ci95), (adjusted, adjusted_ci95)) =
        (mean(plain, plain_variance), mean(sum, variance));
    let variance_ratio = ratio(plain_variance, variance);
    Some(AdjustedPoints { plain, plain_ci95, adjusted, adjusted_ci95, variance_ratio, controls })
}

/// How often one variance is the other; `None` if that means nothing.
fn ratio(plain: f64, adjusted: f64) -> Option<f64> {
    (adjusted > NOTHING * plain).then(|| plain / adjusted)
}
