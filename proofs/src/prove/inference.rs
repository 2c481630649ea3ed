//! Whether intervals, ratings, placements and early stopping keep their guarantees.

pub(super) mod placement;
#[path = "../../../crates/arena/tests/arena/simulated_placement.rs"]
mod simulated_placement;
pub(super) mod statistics;
pub(super) mod until;
