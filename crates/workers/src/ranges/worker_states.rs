//! What the host knows of its workers.

use std::collections::HashMap;
use std::time::Duration;

use crate::id::Id;

/// What the host knows of a worker.
#[derive(Clone, Copy, Debug)]
struct WorkerState {
    /// When it last gave a sign of life.
    seen: Duration,
    /// Since when it has waited for work.
    idle_since: Option<Duration>,
    /// The games per second of its last ranges.
    rate: Option<f64>,
}

/// The workers that have signalled lately, and those that are refused.
#[derive(Default, Debug)]
pub(super) struct WorkerStates {
    states: HashMap<Id, WorkerState>,
    refused: Vec<Id>,
}

impl WorkerStates {
    /// Notes a sign of life.
    pub(super) fn see(&mut self, worker: Id, is_idle: bool, now: Duration) {
        if self.is_refused(worker) {
            return;
        }
        let new = WorkerState { seen: now, idle_since: None, rate: None };
        let state = self.states.entry(worker).or_insert(new);
        state.seen = now;
        state.idle_since = is_idle.then(|| state.idle_since.unwrap_or(now));
    }

    /// Notes how long games took.
    pub(super) fn measure(&mut self, worker: Id, games: u64, took: Duration) {
        let Some(state) = self.states.get_mut(&worker) else { return };
        let rate = games as f64 / took.as_secs_f64().max(1e-3);
        state.rate = Some(state.rate.map_or(rate, |before| f64::midpoint(before, rate)));
    }

    pub(super) fn refuse(&mut self, worker: Id) {
        self.states.remove(&worker);
        if !self.is_refused(worker) {
            self.refused.push(worker);
        }
    }

    pub(super) fn is_refused(&self, worker: Id) -> bool {
        self.refused.contains(&worker)
    }

    /// Forgets a worker that ends.
    pub(super) fn forget(&mut self, worker: Id) {
        self.states.remove(&worker);
    }

    /// Forgets the workers that have given no sign for so long.
    pub(super) fn forget_silent(&mut self, now: Duration, lease: Duration) {
        self.states.retain(|_, state| state.seen + lease >= now);
    }

    pub(super) fn count(&self) -> usize {
        self.states.len()
    }

    /// Whether there is another worker than this one.
    pub(super) fn has_other(&self, worker: Id) -> bool {
        self.states.keys().any(|other| *other != worker)
    }

    /// How many have waited for work for so long.
    pub(super) fn idle(&self, now: Duration, time: Duration) -> usize {
        let is_idle =
            |state: &&WorkerState| state.idle_since.is_some_and(|since| since + time <= now);
        self.states.values().filter(is_idle).count()
    }

    /// The games per second of a worker, on average over those that have finished a range.
    pub(super) fn rate(&self) -> Option<f64> {
        let rates: Vec<_> = self.states.values().filter_map(|state| state.rate).collect();
        (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
    }
}
