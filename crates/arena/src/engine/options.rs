//! How a run is carried out.

use std::sync::atomic::AtomicBool;

/// How a run is carried out. Only the cap of play-offs, which is a rule, changes the result.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// Threads that play; at least one is used.
    pub jobs: usize,
    /// The most games that play off a tie.
    pub most_play_offs: u64,
    /// Set by another thread to stop the run early.
    pub stop: &'a AtomicBool,
}

/// The default for [`RunOptions::most_play_offs`].
pub const MAX_PLAY_OFFS: u64 = 10_000;
