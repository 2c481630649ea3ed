//! The confidence that a decision needs.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// The least probability with which a decision is right: above one half and below one.
///
/// ```
/// use dicehill_arena::Confidence;
///
/// assert_eq!("0.99".parse::<Confidence>().unwrap().to_string(), "99 %");
/// assert!("0.4".parse::<Confidence>().is_err());
/// assert!("nan".parse::<Confidence>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Confidence(f64);

/// A confidence is never NaN.
impl Eq for Confidence {}

/// A text or number that is not a confidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("must be a number above 0.5 and below 1, such as 0.99")]
pub struct ConfidenceError;

impl Confidence {
    /// Checks a probability.
    ///
    /// # Errors
    /// If it is not above one half and below one.
    pub fn new(probability: f64) -> Result<Self, ConfidenceError> {
        let is_valid = probability > 0.5 && probability < 1.0;
        if is_valid { Ok(Self(probability)) } else { Err(ConfidenceError) }
    }

    /// The probability.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The probability of a wrong decision: one minus the confidence.
    #[must_use]
    pub const fn error_probability(self) -> f64 {
        1.0 - self.0
    }
}

impl FromStr for Confidence {
    type Err = ConfidenceError;

    fn from_str(text: &str) -> Result<Self, ConfidenceError> {
        Self::new(text.parse().map_err(|_| ConfidenceError)?)
    }
}

/// In percent, with as many digits as it was given: `99.5 %`.
impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Shifting the decimal point in the text loses no digit, unlike multiplying by 100.
        let text = self.0.to_string();
        let digits = format!("{:0<2}", text.trim_start_matches("0."));
        let (percent, fraction) = digits.split_at(2);
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{percent}{point}{fraction} %")
    }
}

impl Serialize for Confidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}
