//! How a worker works.

use std::sync::atomic::AtomicBool;

/// How a worker works.
pub struct WorkerSettings<'a> {
    /// The name of its machine.
    pub machine: String,
    /// The threads that play.
    pub jobs: u16,
    /// Set to end it after its range.
    pub stop: &'a AtomicBool,
}
