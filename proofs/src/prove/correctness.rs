//! Proofs that records are exact and survive kills, and that the rules hold.

pub(super) mod builds;
pub(super) mod determinism;
pub(super) mod fuzz;
pub(super) mod kills;
pub(super) mod laws;
pub(super) mod resume;
pub(super) mod runtimes;
pub(super) mod verify;
