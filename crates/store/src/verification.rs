//! Recomputing everything about a recorded run that does not need its bots.
//!
//! The steps are those of `protocol/proof.md`. Each step continues where an earlier one has found a problem, so that every
//! alteration is reported. All users of a record share one [`RunCheck`]: `verify` shows all of its steps, an import and a
//! resumed run are refused at the first problem.

pub(crate) mod attempt;
pub(crate) mod discrepancy;
pub(crate) mod finding;
pub(crate) mod game_check;
pub(crate) mod highlight_check;
pub(crate) mod recomputed_result;
pub(crate) mod recorded_result;
pub(crate) mod run_check;
pub(crate) mod run_import;
pub(crate) mod stored_failures;

pub use discrepancy::Discrepancy;
pub use finding::{CheckedGames, CheckedStep, Finding, VerifiedPart};
pub use run_check::RunCheck;
pub use run_import::ImportedRun;
