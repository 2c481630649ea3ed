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
mod design_effect;
mod elo;
mod elo_margin;
mod group_letters;
mod interval;
mod paired_difference;
mod placement;
mod random_stream;
mod rated_samples;
mod rating;
mod sample_outcome;
mod statistics_version;
mod student;
mod sums;
mod test_martingale;
mod win_graph;

pub(crate) use best_probability::best_probabilities;
pub use confidence::{Confidence, ConfidenceError};
pub use confidence_sequence::ConfidenceSequence;
pub(crate) use confidence_sequence::ValueCounts;
pub(crate) use control_variates::{Adjusted, CONTROLS, Controls, Moments, StratumSums, adjust};
pub(crate) use covariance::Covariance;
pub(crate) use davidson_luce::MAX_TIE_SIZE;
pub use elo::EloRating;
pub(crate) use elo::elo_ratings;
pub use elo_margin::{EloMargin, EloMarginError};
pub(crate) use group_letters::group_letters;
pub(crate) use interval::{BlockWins, ELO_PER_LOGIT, wilson};
pub use interval::{Bounds, Interval, six_digits};
pub(crate) use paired_difference::{ADDED, PairedDifference};
pub use placement::{Placement, PlacementEstimate};
pub(crate) use rating::{Rating, ratings};
pub(crate) use sample_outcome::SampleOutcome;
pub use statistics_version::StatisticsVersion;
pub(crate) use student::{Z95, student_quantile};
pub(crate) use sums::Sums;
pub(crate) use test_martingale::{TestMartingale, TwoSidedTest};
