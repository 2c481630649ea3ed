//! How a run is carried out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How a run is carried out. Only the cap of play-offs, which is a rule, changes the result.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// Threads that play; at least one is used.
    pub jobs: usize,
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
