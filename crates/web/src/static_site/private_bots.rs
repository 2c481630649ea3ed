//! The bots of a run whose failures are not public.

use std::collections::BTreeSet;

use dicehill_store::{FileError, RecordedRun, RunSource};

/// The bots whose failures are not shown. A log does not record whose a bot is.
pub(super) fn private_bots(source: &RunSource) -> Result<BTreeSet<String>, FileError> {
    match &**source {
        RecordedRun::Log { .. } => Ok(BTreeSet::new()),
        RecordedRun::Stored { store, .. } => store.private_bots(),
    }
}
