//! Runs as a store has them, apart from their games.

pub(crate) mod commitments;
pub(crate) mod failures;
pub(crate) mod run_summary;
pub(crate) mod seal;
pub(crate) mod seal_check;
mod stored_highlights;
pub(crate) mod stored_run;

pub use commitments::UnusedCommitment;
pub use failures::StoredFailure;
pub use run_summary::RunSummary;
pub use stored_run::StoredRun;
