//! How much processor time a child may use: that of one processor while it owes an answer.
//!
//! It may save up a little. A child that has used more is stopped until enough time has passed on its own clock, so
//! that threads which compute while others are on the move slow down no other bot.
//!
//! A control group measures all of the time. Without one, a process that starts and ends between two checks is never
//! measured, and if its parent ignores `SIGCHLD`, no process is charged for it. A process that a check finds running and
//! that the check before did not find is therefore taken to have run since then. Checks are made at random moments, by
//! which that is right on average however short the processes are, and a child that notices a check cannot tell when the
//! next one comes. A process that waits for its first time on a processor has not run, and counts nothing. One that has
//! begun counts in full even if it may be waiting again: a brief one runs once and ends, and the check may just have taken
//! its processor. All that is found so is at most what the child's processors can do.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::cores::Cores;
use crate::isolation::control_group::ControlGroup;
use crate::process::descendants::{
    Lifetime, descendants, has_begun_to_run, has_stopped, processor_time,
};
use crate::process::move_clock::MoveClock;

/// The interval between checks on average.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The interval at which a starting child follows the arena's choice of a core, which comes after some answers.
const FOLLOW_INTERVAL: Duration = Duration::from_millis(10);

/// How long a child counts as starting. Later it follows at each check.
const START: Duration = Duration::from_millis(500);

/// The longest interval between checks.
const MAX_INTERVAL: Duration = Duration::from_millis(250);

/// The most that can be saved up, which is also the initial balance: runtimes begin with several threads.
const MAX_SAVED: Duration = Duration::from_millis(750);

/// The fraction of the time that is credited while no answer is owed: runtimes collect garbage.
const IDLE_RATE: f64 = 0.1;

/// The balance at which a stopped child continues while no answer is owed. With none it would be stopped again at once,
/// and stopping takes a while.
const MIN_IDLE_BALANCE: Duration = Duration::from_millis(200);

/// The most passes to stop all processes.
const STOP_PASSES: usize = 100;

/// The passes in a row that find no running process once all are stopped that ran.
const EMPTY_PASSES: usize = 10;

/// What may still be used while all processes are being stopped: what two processes that the first attempt missed can use until
/// a late check. It is owed like all else.
const MAX_WHILE_STOPPING: Duration = Duration::from_millis(600);

/// The account of a child.
pub(crate) struct ProcessorAllowance {
    clock: MoveClock,
    cores: Cores,
    /// The balance in seconds of processor time; negative while the child is stopped.
    balance: f64,
    last_check: Instant,
    next_check: Instant,
    /// When the child follows to another core next, while it starts.
    next_follow: Option<Instant>,
    end_of_start: Instant,
    /// The time on the move up to the last check.
    on_move_before: Duration,
    /// What each process had used at the last check, without a control group.
    used_before: HashMap<Lifetime, Duration>,
    /// What the control group had used at the last check.
    used_by_group: Duration,
    /// What was used since the child was stopped, if it is.
    used_since_stop: Option<Duration>,
    is_ending: bool,
}

impl ProcessorAllowance {
    pub(crate) fn new(clock: MoveClock) -> Self {
        let now = Instant::now();
        Self {
            clock,
            cores: Cores::new(),
            balance: MAX_SAVED.as_secs_f64(),
            last_check: now,
            next_check: now + random_interval(),
            next_follow: Some(now + FOLLOW_INTERVAL),
            end_of_start: now + START,
            on_move_before: Duration::ZERO,
            used_before: HashMap::new(),
            used_by_group: Duration::ZERO,
            used_since_stop: None,
            is_ending: false,
        }
    }

    /// When [`Self::check`] has something to do next.
    pub(crate) fn next_check(&self) -> Instant {
        self.next_follow.map_or(self.next_check, |follow| follow.min(self.next_check))
    }

    /// Moves all descendants of `root`, without `root` itself, to the core that the arena has chosen, and when it is time
    /// updates their account. Returns false if they must be killed because they cannot be stopped.
    pub(crate) fn check(&mut self, root: Pid, group: Option<&ControlGroup>) -> bool {
        let now = Instant::now();
        self.cores.follow(self.clock.core(), root);
        self.next_follow = (now < self.end_of_start).then(|| now + FOLLOW_INTERVAL);
        self.next_check > now || self.update(root, group)
    }

    /// Updates the account of all descendants of `root`, or of their control group if they have one.
    fn update(&mut self, root: Pid, group: Option<&ControlGroup>) -> bool {
        let (now, on_move_now) = (Instant::now(), self.clock.elapsed());
        let passed = now - self.last_check;
        let on_move = on_move_now.saturating_sub(self.on_move_before).min(passed);
        let idle = passed - on_move;
        (self.last_check, self.on_move_before) = (now, on_move_now);
        self.next_check = now + random_interval();
        let used = match group.and_then(ControlGroup::processor_time) {
            Some(total) => total.saturating_sub(std::mem::replace(&mut self.used_by_group, total)),
            None => self.sampled(root, passed),
        };
        self.balance += on_move.as_secs_f64() + IDLE_RATE * idle.as_secs_f64() - used.as_secs_f64();
        self.balance = self.balance.min(MAX_SAVED.as_secs_f64());
        let least = if on_move.is_zero() { MIN_IDLE_BALANCE } else { Duration::ZERO };
        match &mut self.used_since_stop {
            _ if self.is_ending => self.balance >= 0.0,
            None if self.balance < 0.0 => {
                self.used_since_stop = Some(Duration::ZERO);
                stop(root, group, EMPTY_PASSES);
                true
            }
            None => true,
            Some(_) if self.balance >= least.as_secs_f64() => {
                self.release(root, group);
                true
            }
            Some(since_stop) => {
                *since_stop += used;
                // Where nothing has run, nothing but a process that waits can have been missed.
                stop(root, group, if used.is_zero() { 1 } else { EMPTY_PASSES });
                *since_stop < MAX_WHILE_STOPPING
            }
        }
    }

    /// The processor time used since the last check, as far as the living processes show it. A process that is new and
    /// running counts as if it had run all the time.
    fn sampled(&mut self, root: Pid, passed: Duration) -> Duration {
        let before = std::mem::take(&mut self.used_before);
        let (mut measured, mut found) = (Duration::ZERO, 0);
        for pid in descendants(root) {
            // A process that has ended since it was listed was running.
            let Some((process, used)) = processor_time(pid) else {
                found += 1;
                continue;
            };
            match before.get(&process) {
                Some(before) => measured += used.saturating_sub(*before),
                None if used < passed && has_begun_to_run(pid) => found += 1,
                None => measured += used,
            }
            self.used_before.insert(process, used);
        }
        measured + passed * found.min(self.cores.count())
    }

    /// Lets the child continue so that it can end, with the largest balance. Once that is used up, [`Self::update`]
    /// has it killed instead of stopped.
    pub(crate) fn end(&mut self, root: Pid, group: Option<&ControlGroup>) {
        self.release(root, group);
        self.balance = MAX_SAVED.as_secs_f64();
        self.is_ending = true;
    }

    fn release(&mut self, root: Pid, group: Option<&ControlGroup>) {
        if self.used_since_stop.take().is_none() {
            return;
        }
        match group {
            Some(group) => {
                let _may_be_gone = group.freeze(false);
            }
            None => {
                for pid in descendants(root) {
                    let _may_be_gone = kill_process(pid, Signal::CONT);
                }
            }
        }
    }
}

/// An exponentially distributed interval: how long ago the last check was tells nothing about the next one.
fn random_interval() -> Duration {
    let random = RandomState::new().build_hasher().finish() >> 32;
    let uniform = (random as f64 + 1.0) / (1_u64 << 32) as f64;
    CHECK_INTERVAL.mul_f64(-uniform.ln()).min(MAX_INTERVAL)
}

/// Stops all descendants of `root`, also those that are started meanwhile. What a pass misses, because it was continued or a
/// process was always a step ahead, is stopped at the next check, as long as little is used. All are stopped once so many passes in
/// a row find no running process; each pass takes a millisecond where there are many.
fn stop(root: Pid, group: Option<&ControlGroup>, empty_passes: usize) {
    if let Some(group) = group {
        let _measured_if_not = group.freeze(true);
        return;
    }
    // With a pending signal a process cannot fork, even if on a loaded machine it takes a while until it has stopped.
    let (mut signalled, mut empty) = (HashSet::new(), 0);
    for _ in 0..STOP_PASSES {
        let is_running = |pid: &Pid| !signalled.contains(pid) && !has_stopped(*pid);
        let running: Vec<_> = descendants(root).into_iter().filter(is_running).collect();
        // A pass misses a process whose parent ends meanwhile.
        empty = if running.is_empty() { empty + 1 } else { 0 };
        if empty == empty_passes {
            return;
        }
        for pid in running {
            let _may_be_gone = kill_process(pid, Signal::STOP);
            signalled.insert(pid);
        }
    }
}
