//! Numbers with their 95 % intervals.

use dicehill_arena::{Bounds, EloRating, Interval, six_digits};
use serde::Serialize;
use utoipa::ToSchema;

/// A number and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Estimate {
    /// The number.
    #[schema(example = 0.5312)]
    pub(crate) value: f64,
    /// The lower and the upper bound of its 95 % interval; null if too little is known.
    #[schema(example = json!([0.5001, 0.562]))]
    pub(crate) ci95: Option<[f64; 2]>,
}

impl Estimate {
    /// Of both; nothing without a number.
    pub(crate) fn of(value: Option<f64>, interval: Option<Interval>) -> Option<Self> {
        value.map(|value| Self::new(value, interval))
    }

    /// Of both.
    pub(crate) fn new(value: f64, interval: Option<Interval>) -> Self {
        let bounds = |Interval { low, high }| [six_digits(low), six_digits(high)];
        Self { value: six_digits(value), ci95: interval.map(bounds) }
    }
}

/// An Elo rating with its 95 % interval, or with one bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct EloEstimate {
    /// The rating; null if the games bound it on one side only.
    #[schema(example = 141.2)]
    pub(crate) value: Option<f64>,
    /// The lower bound of its 95 % interval; null if there is none.
    #[schema(example = 126.9)]
    pub(crate) low: Option<f64>,
    /// The upper bound of its 95 % interval; null if there is none.
    #[schema(example = 155.5)]
    pub(crate) high: Option<f64>,
}

impl From<EloRating> for EloEstimate {
    fn from(EloRating { value, ci95 }: EloRating) -> Self {
        let Bounds { low, high } = ci95.unwrap_or(Bounds { low: None, high: None });
        let [value, low, high] = [value, low, high].map(|number| number.map(six_digits));
        Self { value, low, high }
    }
}
