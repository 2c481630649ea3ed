//! When the next line of progress is due.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Says when the next line of progress is due, and how long its work has taken so far.
pub(super) struct LineClock {
    begun: Instant,
    last: Cell<Instant>,
    /// The time between two lines; `None` if there are none.
    interval: Option<Duration>,
}

impl LineClock {
    /// A clock that starts now.
    pub(super) fn start(interval: Option<Duration>) -> Self {
        let now = Instant::now();
        Self { begun: now, last: Cell::new(now), interval }
    }

    /// Whether a line is due. If so, the next one is due an interval later.
    pub(super) fn is_due(&self) -> bool {
        let is_due = self.interval.is_some_and(|interval| self.last.get().elapsed() >= interval);
        if is_due {
            self.last.set(Instant::now());
        }
        is_due
    }

    /// Seconds since the start, in whole milliseconds.
    pub(super) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_millis() as f64 / 1000.0
    }
}
