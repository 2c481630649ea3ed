//! A range that was handed out and has not arrived as a whole.

use std::time::Duration;

use dicehill_arena::GameRange;

use crate::id::Id;

/// How long a range may wait while a worker is idle: the broker has lost it then.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// A range that was handed out and has not arrived as a whole.
#[derive(Clone, Debug)]
pub(super) struct OpenRange {
    pub(super) games: GameRange,
    /// How often it was handed out before.
    pub(super) generation: u32,
    /// When it was handed out last.
    pub(super) published: Duration,
    /// Whether no worker has taken it since it was handed out last.
    pub(super) is_waiting: bool,
    /// The workers that play it.
    pub(super) attempts: Vec<Attempt>,
    /// How often a worker has failed or fallen silent in it.
    pub(super) failures: u32,
    /// Why a worker last failed in it.
    pub(super) why: Option<String>,
}

/// A worker that plays a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub(super) worker: Id,
    pub(super) since: Duration,
    pub(super) seen: Duration,
}

impl OpenRange {
    pub(super) const fn new(games: GameRange, now: Duration) -> Self {
        Self {
            games,
            generation: 0,
            published: now,
            is_waiting: true,
            attempts: Vec::new(),
            failures: 0,
            why: None,
        }
    }

    /// A worker says that it plays the range.
    pub(super) fn see(&mut self, worker: Id, generation: u32, now: Duration) {
        self.is_waiting &= generation != self.generation;
        match self.attempts.iter_mut().find(|one| one.worker == worker) {
            Some(attempt) => attempt.seen = now,
            None => self.attempts.push(Attempt { worker, since: now, seen: now }),
        }
    }

    /// Ends the attempts of workers that have fallen silent. Returns whether there were any.
    pub(super) fn expire(&mut self, now: Duration, lease: Duration) -> bool {
        let before = self.attempts.len();
        self.attempts.retain(|attempt| attempt.seen + lease >= now);
        let silent = before - self.attempts.len();
        self.failures += silent as u32;
        silent > 0
    }

    /// Ends the attempt of a worker.
    pub(super) fn end_attempt(&mut self, worker: Id) {
        self.attempts.retain(|attempt| attempt.worker != worker);
    }

    /// Ends the attempt of a worker that waits for work again.
    pub(super) fn end_old_attempt(&mut self, worker: Id, now: Duration) {
        let is_old = |attempt: &Attempt| attempt.worker == worker && attempt.seen < now;
        self.attempts.retain(|attempt| !is_old(attempt));
    }

    /// A worker has failed in it.
    pub(super) fn fail(&mut self, why: String) {
        self.failures += 1;
        self.why = Some(why);
    }

    /// Since when it has been played by the same workers, if one plays it.
    pub(super) fn played_since(&self) -> Option<Duration> {
        self.attempts.iter().map(|attempt| attempt.since).max()
    }
}
