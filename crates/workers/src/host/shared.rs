//! What the threads of a host share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dicehill_arena::{Bar, GameRange};
use tokio::sync::Notify;

use super::hosted_run::HostedRun;
use crate::broker::LEASE;
use crate::id::Id;
use crate::ranges::{BookSettings, RangeBook};

/// How long a range is to take.
const TARGET: Duration = Duration::from_secs(3);
/// The most games of a range.
const MAX_RANGE: u64 = 8192;
/// The most games that are handed out, or have arrived and are not recorded.
const WINDOW: u64 = 400_000;

/// What the threads of a host share.
pub(super) struct Shared {
    pub(super) run: Id,
    state: Mutex<State>,
    /// Told when games arrive.
    arrived: Condvar,
    /// Told when games may be handed out.
    pub(super) hand_out: Notify,
    begun: Instant,
    is_closed: AtomicBool,
}

/// What the lock holds.
pub(super) struct State {
    pub(super) book: RangeBook,
    /// The bars before each part of the run; the last ones are those of the current part.
    pub(super) bars: Vec<Bar>,
    /// The machines of workers, by their ids.
    pub(super) machines: HashMap<Id, String>,
    /// Why the run cannot continue.
    pub(super) failed: Option<String>,
}

impl Shared {
    pub(super) fn new(run: &HostedRun<'_>, id: Id, seed: u64) -> Self {
        let settings = BookSettings {
            block: run.judge.block(),
            lease: LEASE,
            target: TARGET,
            max_range: MAX_RANGE,
            window: WINDOW,
            checked: run.checked,
            seed,
        };
        let bars = run.plan.bars().to_vec();
        let book = RangeBook::new(settings);
        let state = State { book, bars, machines: HashMap::new(), failed: None };
        Self {
            run: id,
            state: Mutex::new(state),
            arrived: Condvar::new(),
            hand_out: Notify::new(),
            begun: Instant::now(),
            is_closed: AtomicBool::new(false),
        }
    }

    /// The time for the book.
    pub(super) fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// A poisoned lock is no problem: the run ends with the panic of the thread that held it.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until games arrive, or for a while.
    pub(super) fn wait<'s>(&'s self, guard: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let waited = self.arrived.wait_timeout(guard, Duration::from_millis(100));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Begins a part of the run, with these games to play, after these bars; none at its start, which has its own.
    pub(super) fn begin(&self, games: &[GameRange], bars: &[Bar]) {
        let mut state = self.lock();
        let segment = if bars.is_empty() { 0 } else { state.book.segment() + 1 };
        if !bars.is_empty() {
            state.bars = bars.to_vec();
        }
        state.book.begin(segment, games.iter().copied());
        drop(state);
        self.hand_out.notify_one();
    }

    /// Tells that something has changed.
    pub(super) fn changed(&self) {
        self.arrived.notify_all();
        self.hand_out.notify_one();
    }

    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.changed();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }
}
