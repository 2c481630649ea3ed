//! What decisions cost in a game, and how much of a score was luck.
//!
//! With the value of every position under optimal play for the score, a score splits into parts:
//! score = start + luck - loss. The loss is what the decisions cost, the luck what the dice gave. The values come from
//! another crate through [`crate::Appraiser`].

use dicehill_rules::SeatResult;
use serde::{Deserialize, Serialize};

/// Units of loss per point.
const LOSS_UNIT: f64 = 1e6;
/// Units of variance per squared point.
const VARIANCE_UNIT: f64 = 1e3;
/// Binary numbers distinguish decimals of up to 15 digits.
const MAX_PARTS: f64 = 999_999_999_999_999.0;

/// What a seat's decisions cost in a game, and how much its dice could have given or taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Appraisal {
    /// The sum over the decisions of the best value minus that of the choice, in millionths of a point, below 10^15.
    pub loss: u64,
    /// The sum over the rolls of the variance of the value after the roll, given everything before it, in thousandths of
    /// a squared point, below 10^15.
    pub variance: u64,
}

/// Why two numbers are not an appraisal.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum AppraisalError {
    /// One of them is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// Negative, too large or too fine.
    #[error("{name} = {value}: must be 0 or more, with at most {digits} decimals")]
    Number {
        /// The name of the number.
        name: &'static str,
        /// The number.
        value: f64,
        /// The most decimals.
        digits: u32,
    },
}

impl Appraisal {
    /// What stands in a line; `None` if neither number does.
    ///
    /// # Errors
    /// If only one does, or they are no such numbers.
    pub(crate) fn read(
        loss: Option<f64>,
        variance: Option<f64>,
    ) -> Result<Option<Self>, AppraisalError> {
        let (loss, variance) = match (loss, variance) {
            (None, None) => return Ok(None),
            (Some(loss), Some(variance)) => (loss, variance),
            (None, Some(_)) => return Err(AppraisalError::Missing("loss")),
            (Some(_), None) => return Err(AppraisalError::Missing("variance")),
        };
        let number = |name, value, digits| AppraisalError::Number { name, value, digits };
        Ok(Some(Self {
            loss: parts(loss, LOSS_UNIT).ok_or_else(|| number("loss", loss, 6))?,
            variance: parts(variance, VARIANCE_UNIT)
                .ok_or_else(|| number("variance", variance, 3))?,
        }))
    }

    /// The loss in points, with all six decimals.
    pub(crate) fn loss_text(self) -> String {
        format!("{}.{:06}", self.loss / 1_000_000, self.loss % 1_000_000)
    }

    /// The variance in squared points, with all three decimals.
    pub(crate) fn variance_text(self) -> String {
        format!("{}.{:03}", self.variance / 1000, self.variance % 1000)
    }

    /// The variance in squared points.
    pub(crate) fn variance_points(self) -> f64 {
        self.variance as f64 / VARIANCE_UNIT
    }
}

/// How many parts a number is, if it is a whole number of them: a decimal with few enough digits has one
/// nearest binary number.
fn parts(value: f64, unit: f64) -> Option<u64> {
    let count = (value * unit).round();
    let is_whole = (0.0..=MAX_PARTS).contains(&count) && count / unit == value;
    is_whole.then_some(count as u64)
}

/// The score that optimal play gets on average, in millionths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct StartValue(u64);

impl StartValue {
    /// The value of an appraiser, rounded.
    ///
    /// # Panics
    /// If it is negative, or no number.
    #[must_use]
    pub fn rounded(start: f64) -> Self {
        let count = (start * LOSS_UNIT).round();
        assert!((0.0..=MAX_PARTS).contains(&count), "no score is {start} on average");
        Self(count as u64)
    }

    /// In points.
    #[must_use]
    pub fn points(self) -> f64 {
        self.0 as f64 / LOSS_UNIT
    }

    /// How much of a score was luck, in points: score - start + loss.
    pub(crate) fn luck(self, score: u64, appraisal: Appraisal) -> f64 {
        self.luck_parts(score, appraisal) as f64 / LOSS_UNIT
    }

    /// How much of each seat's score, its first figure, was luck, in millionths of a point.
    pub(crate) fn luck_of(self, results: &[SeatResult], appraisals: &[Appraisal]) -> Vec<i64> {
        let luck = |(result, appraisal): (&SeatResult, &Appraisal)| {
            let parts = self.luck_parts(result.figures[0], *appraisal);
            i64::try_from(parts).unwrap_or(if parts < 0 { i64::MIN } else { i64::MAX })
        };
        results.iter().zip(appraisals).map(luck).collect()
    }

    fn luck_parts(self, score: u64, Appraisal { loss, .. }: Appraisal) -> i128 {
        i128::from(score) * 1_000_000 + i128::from(loss) - i128::from(self.0)
    }
}

impl TryFrom<f64> for StartValue {
    type Error = AppraisalError;

    fn try_from(value: f64) -> Result<Self, AppraisalError> {
        let number = AppraisalError::Number { name: "start_value", value, digits: 6 };
        parts(value, LOSS_UNIT).map(Self).ok_or(number)
    }
}

impl From<StartValue> for f64 {
    fn from(start: StartValue) -> Self {
        start.points()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(loss: &str, variance: &str) -> Result<Option<Appraisal>, AppraisalError> {
        let number = |text: &str| serde_json::from_str(text).expect("a number or null");
        Appraisal::read(number(loss), number(variance))
    }

    #[test]
    fn what_is_written_is_read_again() {
        for loss in [0, 1, 7, 999_999, 1_000_000, 12_345_678, 254_587_712, 999_999_999_999_999] {
            for variance in [0, 1, 3_551_204, 999_999_999_999_999] {
                let appraisal = Appraisal { loss, variance };
                let again = read(&appraisal.loss_text(), &appraisal.variance_text());
                assert_eq!(again, Ok(Some(appraisal)));
            }
        }
        assert_eq!(Appraisal { loss: 12_345_678, variance: 40 }.loss_text(), "12.345678");
        assert_eq!(Appraisal { loss: 12_345_678, variance: 40 }.variance_text(), "0.040");
        assert_eq!(read("null", "null"), Ok(None));
    }

    #[test]
    fn what_is_no_appraisal_is_refused() {
        for (loss, variance, said) in [
            ("-0.5", "1", "loss = -0.5: must be 0 or more, with at most 6 decimals"),
            ("0.1234567", "1", "loss = 0.1234567: must be 0 or more, with at most 6 decimals"),
            ("1e300", "1", "loss = 1000"),
            ("1", "-1", "variance = -1: must be 0 or more, with at most 3 decimals"),
            ("1", "0.0001", "variance = 0.0001: must be"),
            ("1", "null", "variance is missing"),
            ("null", "1", "loss is missing"),
        ] {
            let error = read(loss, variance).expect_err("it is refused").to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }

    #[test]
    fn a_score_is_start_and_luck_without_loss() {
        let start: StartValue = serde_json::from_str("254.587712").expect("a start value");
        assert_eq!(serde_json::to_string(&start).expect("a number"), "254.587712");
        assert_eq!(StartValue::rounded(254.587_712_3), start);
        let appraisal = Appraisal { loss: 14_587_712, variance: 0 };
        assert_eq!(start.luck(250, appraisal), 10.0);
        for wrong in ["-1.0", "0.12345678"] {
            assert!(serde_json::from_str::<StartValue>(wrong).is_err(), "{wrong}");
        }
    }
}
