//! Estimates, their intervals, and the models behind them.
//!
//! Integer sums decide; the real numbers computed here only describe. They use the four operations, the square root,
//! and the exponential and logarithm of `libm`, so that every machine gets the same bits.

mod best_probability;
mod confidence;
mod confidence_sequence;
mod control_variates;
mod covariance;
mod davidson_luce;
mod group_letters;
mod interval;
mod placement;
mod random_stream;
mod rating;
mod sample_outcome;
mod sums;
mod test_martingale;

pub(crate) use best_probability::best_probabilities;
pub use confidence::{Confidence, ConfidenceError};
pub use confidence_sequence::ConfidenceSequence;
pub(crate) use confidence_sequence::ValueCounts;
pub(crate) use control_variates::{Adjusted, CONTROLS, Controls, Moments, StratumSums, adjust};
pub(crate) use covariance::Covariance;
pub(crate) use davidson_luce::MAX_TIE_SIZE;
pub(crate) use group_letters::group_letters;
pub use interval::{Interval, six_digits};
pub(crate) use interval::{effective_games, is_significant, wilson};
pub use placement::{Placement, PlacementEstimate};
pub(crate) use rating::{Rating, ratings};
pub(crate) use sample_outcome::SampleOutcome;
pub(crate) use sums::Sums;
pub(crate) use test_martingale::TwoSidedTest;
