//! How a run is carried out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How many threads play. The result does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jobs {
    /// So many; zero counts as one.
    Exactly(usize),
    /// So many if only house bots play. Where bots are processes, which need cores themselves, one thread begins, and further
    /// ones join as long as cores are idle: each has processes of its own, and starting them takes time.
    UpTo(usize),
}

impl Jobs {
    /// The most threads that play; at least one.
    #[must_use]
    pub fn most(self) -> usize {
        let (Self::Exactly(jobs) | Self::UpTo(jobs)) = self;
        jobs.max(1)
    }

    /// The threads that play from the beginning where bots are processes.
    pub(crate) fn first(self) -> usize {
        match self {
            Self::Exactly(_) => self.most(),
            Self::UpTo(_) => 1,
        }
    }
}

/// How a run is carried out. Only the cap of play-offs, which is a rule, changes the result.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// Threads that play.
    pub jobs: Jobs,
    /// The most games that play off a tie.
    pub max_play_offs: u64,
    /// Set by another thread to stop the run early: games in progress are played on for a second at most, and then dropped.
    pub stop: &'a AtomicBool,
    /// When to stop the run early in any case.
    pub deadline: Option<Instant>,
}

impl RunOptions<'_> {
    /// Whether the run has to stop now.
    pub(crate) fn is_stopping(&self) -> bool {
        let is_over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_over || self.stop.load(Ordering::Relaxed)
    }
}

/// The default for [`RunOptions::max_play_offs`].
pub const MAX_PLAY_OFFS: u64 = 10_000;
