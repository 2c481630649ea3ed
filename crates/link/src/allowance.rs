//! What a child may take of the processors: the time of one, while it owes an answer.
//!
//! It may save up a little. Whoever has used more stands still until enough time has passed on its own clock, so
//! that threads which work while others are on the move cost nobody else their time.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::descendants::{descendants, has_stopped, used};
use crate::move_clock::MoveClock;

/// What may be saved up, and is there at the start: runtimes begin with several threads.
const MOST: Duration = Duration::from_millis(750);
/// How much of the time counts in which no answer is owed: runtimes tidy up.
const WHILE_IDLE: f64 = 0.1;
/// Looks that it may take to bring everybody to a stand.
const LOOKS: usize = 20;

/// A child's account.
pub(crate) struct Allowance {
    clock: MoveClock,
    /// Seconds of a processor that are left; less than none while it stands still.
    left: f64,
    looked: Instant,
    moved: Duration,
    used: Duration,
    stands_still: bool,
}

impl Allowance {
    pub(crate) fn new(clock: MoveClock) -> Self {
        Self {
            clock,
            left: MOST.as_secs_f64(),
            looked: Instant::now(),
            moved: Duration::ZERO,
            used: Duration::ZERO,
            stands_still: false,
        }
    }

    /// Settles the account of all that comes from `root`, which is itself not counted. Says whether they could be
    /// stopped if they had to.
    pub(crate) fn settle(&mut self, root: Pid) -> bool {
        let now = Instant::now();
        let (moved, used) = (self.clock.elapsed(), used(root));
        let passed = now - self.looked;
        let on_move = moved.saturating_sub(self.moved).min(passed);
        let idle = passed - on_move;
        self.left += on_move.as_secs_f64() + WHILE_IDLE * idle.as_secs_f64();
        self.left -= used.saturating_sub(self.used).as_secs_f64();
        self.left = self.left.min(MOST.as_secs_f64());
        (self.looked, self.moved, self.used) = (now, moved, used.max(self.used));
        match self.stands_still {
            false if self.left < 0.0 => {
                self.stands_still = true;
                stop(root)
            }
            true if self.left >= 0.0 => {
                self.release(root);
                true
            }
            true | false => true,
        }
    }

    /// Lets everybody go on.
    pub(crate) fn release(&mut self, root: Pid) {
        if std::mem::take(&mut self.stands_still) {
            for pid in descendants(root) {
                let _gone = kill_process(pid, Signal::CONT);
            }
        }
    }
}

/// Stops everything that comes from `root`, also what is started meanwhile. Says whether all stand.
fn stop(root: Pid) -> bool {
    for _ in 0..LOOKS {
        let running: Vec<_> =
            descendants(root).into_iter().filter(|pid| !has_stopped(*pid)).collect();
        if running.is_empty() {
            return true;
        }
        for pid in running {
            let _gone = kill_process(pid, Signal::STOP);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}
