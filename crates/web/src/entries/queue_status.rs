//! How far the entry or run is that is being processed, kept in the server's memory.

use crate::model::forecast::{Active, EntryProgress};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the runner of a hill does now. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct QueueStatus(Arc<Mutex<Option<(Active, EntryProgress)>>>);

impl QueueStatus {
    /// What is being processed, with its progress; `None` before the first figure.
    pub(super) fn active(&self) -> Option<(Active, EntryProgress)> {
        *self.lock()
    }

    pub(super) fn set_progress(&self, active: Active, progress: EntryProgress) {
        *self.lock() = Some((active, progress));
    }

    /// A command has ended: its figures hold no longer.
    pub(super) fn clear_progress(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Active, EntryProgress)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
