//! How far the entry or run is that is being processed, kept in the server's memory.

use crate::model::forecast::{Active, EntryProgress};
use crate::model::run_workers::RunWorkers;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the runner of a hill does now. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueueStatus {
    figures: Arc<Mutex<Figures>>,
    is_failing: Arc<AtomicBool>,
}

/// The figures of the command that runs.
#[derive(Clone, Debug, Default)]
struct Figures {
    /// Whether a run is prepared or played.
    is_run: bool,
    active: Option<(Active, EntryProgress)>,
    workers: RunWorkers,
}

impl QueueStatus {
    /// What is being processed, with its progress; `None` before the first figure.
    pub(super) fn active(&self) -> Option<(Active, EntryProgress)> {
        self.lock().active
    }

    /// Whether a run is prepared or played.
    pub(super) fn is_run(&self) -> bool {
        self.lock().is_run
    }

    pub(super) fn begin_run(&self) {
        self.lock().is_run = true;
    }

    /// The workers that play the run that is being played.
    pub(crate) fn workers(&self) -> RunWorkers {
        self.lock().workers.clone()
    }

    pub(super) fn set_progress(&self, active: Active, progress: EntryProgress) {
        self.lock().active = Some((active, progress));
    }

    pub(super) fn set_workers(&self, workers: RunWorkers) {
        self.lock().workers = workers;
    }

    /// Whether the last attempt has ended with an error that is not a bot's fault.
    pub(crate) fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }

    pub(super) fn set_failing(&self, is_failing: bool) {
        self.is_failing.store(is_failing, Ordering::Relaxed);
    }

    /// A command has ended: its figures hold no longer.
    pub(super) fn clear_progress(&self) {
        *self.lock() = Figures::default();
    }

    fn lock(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
