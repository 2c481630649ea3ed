//! Numbers with their 95 % intervals.

use dicehill_arena::{Interval, six_digits};
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
        let bounds = |Interval { low, high }| [six_digits(low), six_digits(high)];
        value.map(|value| Self { value: six_digits(value), ci95: interval.map(bounds) })
    }

    /// With a standard error, by the normal distribution.
    pub(crate) fn with_error(value: f64, error: Option<f64>) -> Self {
        let half = error.map(|error| 1.959_963_984_540_054 * error);
        let ci95 = half.map(|half| [six_digits(value - half), six_digits(value + half)]);
        Self { value: six_digits(value), ci95 }
    }
}
