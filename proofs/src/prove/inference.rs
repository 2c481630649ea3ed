//! Whether intervals, ratings, placements and early stopping keep their guarantees.

mod elo;
mod means;
pub(super) mod placement;
#[path = "../../../crates/arena/tests/arena/simulated_placement.rs"]
mod simulated_placement;
#[path = "../../../crates/arena/tests/arena/simulated_ratings.rs"]
mod simulated_ratings;
mod simulated_runs;
pub(super) mod statistics;
pub(super) mod until;
