//! Estimates, their intervals, and the models behind them.
//!
//! Integers decide; the real numbers made here only describe. They use the four operations, the
//! square root, and the exponential and logarithm of `libm`, so that every machine gets the same
//! bits.

mod best;
mod control_variates;
mod covariance;
mod davidson_luce;
mod draws;
mod interval;
mod marks;
mod rating;
mod sums;

pub(crate) use best::chances_to_be_best;
pub(crate) use control_variates::{Adjusted, CONTROLS, Controls, Moments, Part, adjust};
pub(crate) use covariance::Covariance;
pub(crate) use davidson_luce::MOST_WINNERS;
pub use interval::{Interval, six_digits};
pub(crate) use interval::{effective_games, is_significant, wilson};
pub(crate) use marks::marks;
pub(crate) use rating::{Rating, ratings};
pub(crate) use sums::Sums;
