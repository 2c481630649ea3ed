//! How much processor time a child may use: that of one processor while it owes an answer.
//!
//! It may save up a little. A child that has used more is stopped until enough time has passed on its own clock, so
//! that threads which compute while others are on the move slow down no other bot.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::process::descendants::{Life, descendants, has_stopped, used};
use crate::process::move_clock::MoveClock;

/// What may be saved up, and is there at the start: runtimes begin with several threads.
const MOST: Duration = Duration::from_millis(750);

/// How much of the time counts in which no answer is owed: runtimes tidy up.
const WHILE_IDLE: f64 = 0.1;

/// Looks that it may take to bring everybody to a stand.
const LOOKS: usize = 20;

/// What may still be used while all should stand still: it takes a while until all do.
const WHILE_STANDING: Duration = Duration::from_millis(150);

/// A child's account.
pub(crate) struct Allowance {
    clock: MoveClock,
    /// Seconds of a processor that are left; less than none while it stands still.
    left: f64,
    looked: Instant,
    moved: Duration,
    /// What each process had used when it was last seen.
    seen: HashMap<Life, Duration>,
    /// What was used since all were to stand still, if they are.
    standing: Option<Duration>,
    is_last: bool,
}

impl Allowance {
    pub(crate) fn new(clock: MoveClock) -> Self {
        Self {
            clock,
            left: MOST.as_secs_f64(),
            looked: Instant::now(),
            moved: Duration::ZERO,
            seen: HashMap::new(),
            standing: None,
            is_last: false,
        }
    }

    /// Settles the account of all that comes from `root`, which is itself not counted. Says whether they may live on:
    /// not if they cannot be stopped.
    pub(crate) fn settle(&mut self, root: Pid) -> bool {
        let (now, moved) = (Instant::now(), self.clock.elapsed());
        let passed = now - self.looked;
        let on_move = moved.saturating_sub(self.moved).min(passed);
        let idle = passed - on_move;
        (self.looked, self.moved) = (now, moved);
        let used = self.used(root);
        self.left += on_move.as_secs_f64() + WHILE_IDLE * idle.as_secs_f64() - used.as_secs_f64();
        self.left = self.left.min(MOST.as_secs_f64());
        match &mut self.standing {
            _ if self.is_last => self.left >= 0.0,
            None if self.left < 0.0 => {
                self.standing = Some(Duration::ZERO);
                stop(root)
            }
            None => true,
            Some(_) if self.left >= 0.0 => {
                self.release(root);
                true
            }
            Some(since) => {
                *since += used;
                *since < WHILE_STANDING && stop(root)
            }
        }
    }

    /// What was used since the last look. Of a process that was not there then it counts twice: others as short-lived
    /// will have come and gone unseen.
    fn used(&mut self, root: Pid) -> Duration {
        let before = std::mem::take(&mut self.seen);
        self.seen = descendants(root).into_iter().filter_map(used).collect();
        let growth = |(life, used): (&Life, &Duration)| match before.get(life) {
            Some(before) => used.saturating_sub(*before),
            None => 2 * *used,
        };
        self.seen.iter().map(growth).sum()
    }

    /// Lets everybody go on, to come to their end: with all that could have been saved up, and no more.
    pub(crate) fn end(&mut self, root: Pid) {
        self.release(root);
        self.left = MOST.as_secs_f64();
        self.is_last = true;
    }

    fn release(&mut self, root: Pid) {
        if self.standing.take().is_some() {
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
