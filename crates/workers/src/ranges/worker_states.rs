//! What the host knows of its workers.

use std::collections::HashMap;
use std::time::Duration;

use crate::id::Id;

/// With fewer workers, each new rate counts at once.
const FEW: usize = 64;

/// How many ranges wait for as many workers; for more workers, that part of their number.
const FEW_WAITING: usize = 8;

/// What the host knows of a worker.
#[derive(Clone, Copy, Debug)]
struct WorkerState {
    /// When it last gave a sign of life.
    seen: Duration,
    /// Since when it has waited for work.
    idle_since: Option<Duration>,
    /// The games of its last ranges, each half as important as the one after it, and how long they took.
    games: f64,
    seconds: f64,
}

/// The workers that have signalled lately, and those that are refused.
#[derive(Default, Debug)]
pub(super) struct WorkerStates {
    states: HashMap<Id, WorkerState>,
    refused: Vec<Id>,
    /// The games per second of a worker, on average over those that have finished a range.
    rate: Option<f64>,
    /// The most games of a range that was finished.
    largest: u64,
}

impl WorkerStates {
    /// Notes a sign of life.
    pub(super) fn see(&mut self, worker: Id, is_idle: bool, now: Duration) {
        if self.is_refused(worker) {
            return;
        }
        let new = WorkerState { seen: now, idle_since: None, games: 0.0, seconds: 0.0 };
        let state = self.states.entry(worker).or_insert(new);
        state.seen = now;
        state.idle_since = is_idle.then(|| state.idle_since.unwrap_or(now));
    }

    /// Notes how long games took.
    pub(super) fn measure(&mut self, worker: Id, games: u64, took: Duration) {
        self.largest = self.largest.max(games);
        let Some(state) = self.states.get_mut(&worker) else { return };
        let is_first = state.seconds == 0.0;
        state.games = state.games / 2.0 + games as f64;
        state.seconds = state.seconds / 2.0 + took.as_secs_f64().max(1e-3);
        // With many workers, one more changes little until all are looked at.
        if self.rate.is_none() || (is_first && self.states.len() < FEW) {
            self.count_rates();
        }
    }

    fn count_rates(&mut self) {
        let sum = |of: fn(&WorkerState) -> f64| self.states.values().map(of).sum::<f64>();
        let (games, seconds) = (sum(|state| state.games), sum(|state| state.seconds));
        self.rate = (seconds > 0.0).then(|| games / seconds);
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
        self.count_rates();
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
    pub(super) const fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// How many games a worker plays in this time, but at most twice as many as a range had so far: the first ranges to be
    /// finished are those with quick games.
    pub(super) fn games_in(&self, time: Duration) -> u64 {
        let games = self.rate.map_or(1.0, |rate| rate * time.as_secs_f64());
        // A number beyond the range of integers becomes the largest one.
        (games as u64).min(self.largest.saturating_mul(2)).max(1)
    }

    /// How many ranges are to wait for workers: enough for those that finish theirs, and so few that one which is handed out
    /// again is soon taken.
    pub(super) fn wanted_waiting(&self) -> usize {
        self.states.len().clamp(1, FEW_WAITING.max(self.states.len() / FEW_WAITING))
    }
}
