//! Whether intervals, ratings, placements and early stopping keep their guarantees.

#[path = "../../../crates/arena/tests/arena/newcomers.rs"]
mod newcomers;
pub(super) mod placement;
pub(super) mod statistics;
pub(super) mod until;
