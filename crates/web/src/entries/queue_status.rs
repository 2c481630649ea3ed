//! How far the entry is that is being processed, kept in the server's memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::model::entry::EntryProgress;

/// What the runner of a hill does now. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct QueueStatus(Arc<Mutex<Status>>);

#[derive(Debug, Default)]
struct Status {
    /// The entry that is being processed, with its progress.
    active: Option<(i64, EntryProgress)>,
    /// How long the last qualification took, with its build.
    last_qualification: Option<Duration>,
}

impl QueueStatus {
    /// The entry that is being processed, with its progress; `None` before the first figure.
    pub(super) fn active(&self) -> Option<(i64, EntryProgress)> {
        self.lock().active
    }

    /// How long the last qualification took; `None` if this server has had none.
    pub(super) fn last_qualification(&self) -> Option<Duration> {
        self.lock().last_qualification
    }

    pub(super) fn set_progress(&self, id: i64, progress: EntryProgress) {
        self.lock().active = Some((id, progress));
    }

    /// A command has ended: its figures hold no longer.
    pub(super) fn clear_progress(&self) {
        self.lock().active = None;
    }

    pub(super) fn set_qualification(&self, took: Duration) {
        self.lock().last_qualification = Some(took);
    }

    fn lock(&self) -> MutexGuard<'_, Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
