//! How much processor time a child may use: that of one processor while it owes an answer.
//!
//! It may save up a little. A child that has used more is stopped until enough time has passed on its own clock, so
//! that threads which compute while others are on the move slow down no other bot.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::process::descendants::{Lifetime, descendants, has_stopped, processor_time};
use crate::process::move_clock::MoveClock;

/// The most that can be saved up, which is also the initial balance: runtimes begin with several threads.
const MOST_SAVED: Duration = Duration::from_millis(750);

/// The fraction of the time that is credited while no answer is owed: runtimes collect garbage.
const IDLE_RATE: f64 = 0.1;

/// The most passes to stop all processes.
const STOP_PASSES: usize = 20;

/// What may still be used while all processes are being stopped, which takes a while.
const MOST_WHILE_STOPPING: Duration = Duration::from_millis(150);

/// The account of a child.
pub(crate) struct ProcessorAllowance {
    clock: MoveClock,
    /// The balance in seconds of processor time; negative while the child is stopped.
    balance: f64,
    last_check: Instant,
    /// The time on the move up to the last check.
    on_move_before: Duration,
    /// What each process had used at the last check.
    used_before: HashMap<Lifetime, Duration>,
    /// What was used since the child was stopped, if it is.
    used_since_stop: Option<Duration>,
    is_ending: bool,
}

impl ProcessorAllowance {
    pub(crate) fn new(clock: MoveClock) -> Self {
        Self {
            clock,
            balance: MOST_SAVED.as_secs_f64(),
            last_check: Instant::now(),
            on_move_before: Duration::ZERO,
            used_before: HashMap::new(),
            used_since_stop: None,
            is_ending: false,
        }
    }

    /// Updates the account of all descendants of `root`, without `root` itself. Returns false if they must be
    /// killed because they cannot be stopped.
    pub(crate) fn update(&mut self, root: Pid) -> bool {
        let (now, on_move_now) = (Instant::now(), self.clock.elapsed());
        let passed = now - self.last_check;
        let on_move = on_move_now.saturating_sub(self.on_move_before).min(passed);
        let idle = passed - on_move;
        (self.last_check, self.on_move_before) = (now, on_move_now);
        let used = self.used(root);
        self.balance += on_move.as_secs_f64() + IDLE_RATE * idle.as_secs_f64() - used.as_secs_f64();
        self.balance = self.balance.min(MOST_SAVED.as_secs_f64());
        match &mut self.used_since_stop {
            _ if self.is_ending => self.balance >= 0.0,
            None if self.balance < 0.0 => {
                self.used_since_stop = Some(Duration::ZERO);
                stop(root)
            }
            None => true,
            Some(_) if self.balance >= 0.0 => {
                self.release(root);
                true
            }
            Some(since_stop) => {
                *since_stop += used;
                *since_stop < MOST_WHILE_STOPPING && stop(root)
            }
        }
    }

    /// The processor time used since the last check. That of a new process counts twice, because other
    /// short-lived processes may have started and ended unseen.
    fn used(&mut self, root: Pid) -> Duration {
        let before = std::mem::take(&mut self.used_before);
        self.used_before = descendants(root).into_iter().filter_map(processor_time).collect();
        let growth = |(process, used): (&Lifetime, &Duration)| match before.get(process) {
            Some(before) => used.saturating_sub(*before),
            None => 2 * *used,
        };
        self.used_before.iter().map(growth).sum()
    }

    /// Lets the child continue so that it can end, with the largest balance. Once that is used up, [`Self::update`]
    /// has it killed instead of stopped.
    pub(crate) fn end(&mut self, root: Pid) {
        self.release(root);
        self.balance = MOST_SAVED.as_secs_f64();
        self.is_ending = true;
    }

    fn release(&mut self, root: Pid) {
        if self.used_since_stop.take().is_some() {
            for pid in descendants(root) {
                let _may_be_gone = kill_process(pid, Signal::CONT);
            }
        }
    }
}

/// Stops all descendants of `root`, also those that are started meanwhile. Returns whether all are stopped.
fn stop(root: Pid) -> bool {
    for _ in 0..STOP_PASSES {
        let running: Vec<_> =
            descendants(root).into_iter().filter(|pid| !has_stopped(*pid)).collect();
        if running.is_empty() {
            return true;
        }
        for pid in running {
            let _may_be_gone = kill_process(pid, Signal::STOP);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}
