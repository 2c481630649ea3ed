//! A difference in strength that a comparison tolerates.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::interval::ELO_PER_LOGIT;

/// The most Elo of a margin: at 400 the weaker of two scores one in eleven.
const MOST: f64 = 400.0;

/// A difference in strength that a comparison tolerates, in Elo: above 0 and at most 400.
///
/// ```
/// use dicehill_arena::EloMargin;
///
/// let margin: EloMargin = "5".parse().unwrap();
/// assert_eq!(margin.to_string(), "5");
/// assert!((margin.score() - 0.4928).abs() < 1e-4);
/// assert!("0".parse::<EloMargin>().is_err());
/// assert!("nan".parse::<EloMargin>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloMargin(f64);

/// A margin is never NaN.
impl Eq for EloMargin {}

/// A text or number that is not a margin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("must be a number of Elo above 0 and at most 400, such as 5")]
pub struct EloMarginError;

impl EloMargin {
    /// Checks a number of Elo.
    ///
    /// # Errors
    /// If it is not above 0 and at most 400.
    pub fn new(elo: f64) -> Result<Self, EloMarginError> {
        if elo > 0.0 && elo <= MOST { Ok(Self(elo)) } else { Err(EloMarginError) }
    }

    /// In Elo.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The score of an entrant that is worse than its opponent by exactly this margin: the share of the games that it
    /// wins, where a tie counts one half. Below one half.
    #[must_use]
    pub fn score(self) -> f64 {
        1.0 / (1.0 + libm::exp(self.0 / ELO_PER_LOGIT))
    }
}

impl FromStr for EloMargin {
    type Err = EloMarginError;

    fn from_str(text: &str) -> Result<Self, EloMarginError> {
        Self::new(text.parse().map_err(|_| EloMarginError)?)
    }
}

impl fmt::Display for EloMargin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for EloMargin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}
