//! Proofs that records are exact and survive kills, that the rules hold, and that the notebooks find what they say.

pub(super) mod builds;
pub(super) mod crashes;
pub(super) mod determinism;
pub(super) mod fuzz;
pub(super) mod kills;
pub(super) mod laws;
pub(super) mod notebooks;
pub(super) mod resume;
pub(super) mod runtimes;
pub(super) mod verify;
