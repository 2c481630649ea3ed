//! Keeps a thread of the arena and the children that answer it quickly, one request at a time, on one core.
//!
//! Such a thread and such a child wait for each other, so that one core is enough for both. On two cores each of them wakes
//! the other from an idle core, which takes up to 60 µs in a virtual machine, several times what the answer takes. The thread
//! measures what answers take: it chooses a core while they are short, and leaves it when that turns out to be slower, because
//! others use the core. The supervisor of a child learns the core by its [`MoveClock`](crate::process::move_clock::MoveClock),
//! and moves the child ([`crate::supervisor`]).

use std::cell::RefCell;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// What a decision is based on: the answers in this time.
const WINDOW: Duration = Duration::from_millis(20);

/// The fewest answers in a window that the thread shares a core for.
const MIN_ANSWERS: u32 = 20;

/// The longest mean time for an answer that the thread shares a core for.
const QUICK: Duration = Duration::from_micros(200);

/// After this time all children have been moved, so that what answers take can be compared.
const SETTLING: Duration = Duration::from_millis(500);

/// When the core is chosen again.
const RENEWAL: Duration = Duration::from_secs(10);

/// How long no core is shared after that was slower.
const REST: Duration = Duration::from_secs(5);

thread_local! {
    static THREAD: RefCell<Thread> = RefCell::new(Thread::default());
}

/// A child of this thread owes an answer from now on. Returns the core that it shares with this thread.
pub(super) fn asked() -> Option<usize> {
    THREAD.with_borrow_mut(|thread| {
        thread.rhythm.asked(Instant::now());
        thread.core
    })
}

/// A child of this thread owes no answer any more.
pub(super) fn answered() {
    THREAD.with_borrow_mut(|thread| match thread.rhythm.answered(Instant::now()) {
        None => {}
        Some(Change::Share) => thread.share(),
        Some(Change::Leave) => thread.leave(),
    });
}

/// A child of this thread owes several answers at a time: it works while the thread asks, so that each needs a core.
pub(super) fn owes_several() {
    THREAD.with_borrow_mut(|thread| {
        if thread.rhythm.overlapped(Instant::now()) == Some(Change::Leave) {
            thread.leave();
        }
    });
}

/// Lets this thread, and so the children and threads that it starts, use all cores, and begins to measure again.
pub(super) fn leave() {
    let leave = |thread: &RefCell<Thread>| {
        let mut thread = thread.borrow_mut();
        thread.leave();
        thread.rhythm = Rhythm::default();
    };
    // A thread that ends uses no core any more.
    let _ended = THREAD.try_with(leave);
}

/// A thread of the arena.
#[derive(Default)]
struct Thread {
    rhythm: Rhythm,
    /// The core that it shares with its children.
    core: Option<usize>,
    /// The cores that it may use otherwise.
    #[cfg(target_os = "linux")]
    all: Option<CpuSet>,
}

#[cfg(target_os = "linux")]
impl Thread {
    /// Stays on the core on which it is now. That is a matter of speed alone, so that a refusal changes nothing.
    fn share(&mut self) {
        let core = sched_getcpu();
        let Ok(all) = sched_getaffinity(None) else { return };
        if all.count() < 2 || core >= CpuSet::MAX_CPU {
            return;
        }
        let mut only = CpuSet::new();
        only.set(core);
        if sched_setaffinity(None, &only).is_ok() {
            (self.core, self.all) = (Some(core), Some(all));
        }
    }

    fn leave(&mut self) {
        self.core = None;
        if let Some(all) = self.all.take() {
            let _stays_if_refused = sched_setaffinity(None, &all);
        }
    }
}

/// Where no child is sandboxed, none is moved.
#[cfg(not(target_os = "linux"))]
impl Thread {
    const fn share(&mut self) {}

    const fn leave(&mut self) {}
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// The thread and its children are to use one core.
    Share,
    /// They are to use all cores again.
    Leave,
}

/// What the answers of a thread's children take.
#[derive(Default)]
struct Rhythm {
    /// The number of children that owe an answer.
    owing: u32,
    /// Since when a child has been the only one that owes an answer.
    alone: Option<Instant>,
    window: Option<Window>,
    shared: Option<Shared>,
    /// No core is shared before.
    rest: Option<Instant>,
}

/// The answers since some time.
struct Window {
    since: Instant,
    answers: u32,
    took: Duration,
    /// Whether several answers were owed at a time.
    overlapped: bool,
}

/// A core is shared.
#[derive(Clone, Copy)]
struct Shared {
    since: Instant,
    /// What an answer took before, on average.
    before: Duration,
}

impl Rhythm {
    fn asked(&mut self, now: Instant) {
        self.owing += 1;
        let window = self.window.get_or_insert_with(|| Window::new(now));
        window.overlapped |= self.owing > 1;
        self.alone = (self.owing == 1).then_some(now);
    }

    fn overlapped(&mut self, now: Instant) -> Option<Change> {
        self.window.get_or_insert_with(|| Window::new(now)).overlapped = true;
        self.alone = None;
        self.shared.take().map(|_| Change::Leave)
    }

    fn answered(&mut self, now: Instant) -> Option<Change> {
        self.owing = self.owing.saturating_sub(1);
        let since = self.alone.take()?;
        let window = self.window.get_or_insert_with(|| Window::new(now));
        window.answers += 1;
        window.took += now - since;
        if now - window.since < WINDOW {
            return None;
        }
        let change = self.change(now);
        self.window = None;
        change
    }

    /// What is to change after a window.
    fn change(&mut self, now: Instant) -> Option<Change> {
        let Window { answers, took, overlapped, .. } = *self.window.as_ref()?;
        let mean = took / answers;
        let is_quick = |most: Duration| !overlapped && mean < most;
        match self.shared {
            None => {
                let may_share = self.rest.is_none_or(|rest| now >= rest);
                let is_worthwhile = answers >= MIN_ANSWERS && is_quick(QUICK);
                (may_share && is_worthwhile).then(|| {
                    self.shared = Some(Shared { since: now, before: mean });
                    Change::Share
                })
            }
            Some(Shared { since, before }) => {
                let is_slower = now - since >= SETTLING && mean > before;
                let is_over = now - since >= RENEWAL;
                (is_slower || is_over || !is_quick(2 * QUICK)).then(|| {
                    self.shared = None;
                    self.rest = is_slower.then(|| now + REST);
                    Change::Leave
                })
            }
        }
    }
}

impl Window {
    const fn new(since: Instant) -> Self {
        Self { since, answers: 0, took: Duration::ZERO, overlapped: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_micros(20);

    /// A rhythm and its time.
    struct Played {
        rhythm: Rhythm,
        now: Instant,
    }

    impl Played {
        fn new() -> Self {
            Self { rhythm: Rhythm::default(), now: Instant::now() }
        }

        /// Answers that take `took` each; returns the changes.
        fn play(&mut self, took: Duration, time: Duration) -> Vec<Change> {
            let until = self.now + time;
            let mut changes = Vec::new();
            while self.now < until {
                self.rhythm.asked(self.now);
                self.now += took;
                changes.extend(self.rhythm.answered(self.now));
                self.now += STEP;
            }
            changes
        }
    }

    #[test]
    fn quick_answers_share_a_core_that_is_chosen_anew_from_time_to_time() {
        let mut played = Played::new();
        assert_eq!(played.play(60 * STEP / 20, 2 * WINDOW), [Change::Share]);
        assert_eq!(played.play(STEP / 4, RENEWAL - 2 * WINDOW), []);
        assert_eq!(played.play(STEP / 4, 4 * WINDOW), [Change::Leave, Change::Share]);
    }

    #[test]
    fn slow_answers_share_none() {
        let mut played = Played::new();
        assert_eq!(played.play(QUICK, RENEWAL), []);
        assert_eq!(played.play(QUICK / 2, 3 * WINDOW), [Change::Share]);
        assert_eq!(played.play(3 * QUICK, 2 * WINDOW), [Change::Leave]);
    }

    #[test]
    fn a_core_that_is_slower_is_left_for_a_while() {
        let mut played = Played::new();
        assert_eq!(played.play(2 * STEP, 2 * WINDOW), [Change::Share]);
        assert_eq!(played.play(3 * STEP, SETTLING - 2 * WINDOW), []);
        assert_eq!(played.play(3 * STEP, 4 * WINDOW), [Change::Leave]);
        assert_eq!(played.play(2 * STEP, REST - 5 * WINDOW), []);
        assert_eq!(played.play(2 * STEP, 8 * WINDOW), [Change::Share]);
    }

    #[test]
    fn children_that_owe_answers_at_the_same_time_share_none() {
        let mut played = Played::new();
        let mut overlap = |time: Duration| {
            let until = played.now + time;
            let mut changes = Vec::new();
            while played.now < until {
                played.rhythm.asked(played.now);
                played.rhythm.asked(played.now);
                played.now += STEP;
                changes.extend(played.rhythm.answered(played.now));
                changes.extend(played.rhythm.answered(played.now));
                changes.extend(played.play(STEP, STEP));
            }
            changes
        };
        assert_eq!(overlap(RENEWAL), []);
    }

    #[test]
    fn a_child_that_owes_several_answers_shares_none() {
        let mut played = Played::new();
        assert_eq!(played.play(STEP, 2 * WINDOW), [Change::Share]);
        played.rhythm.asked(played.now);
        assert_eq!(played.rhythm.overlapped(played.now), Some(Change::Leave));
        assert_eq!(played.rhythm.overlapped(played.now), None);
        assert_eq!(played.rhythm.answered(played.now), None);
        let until = played.now + RENEWAL;
        while played.now < until {
            played.rhythm.asked(played.now);
            assert_eq!(played.rhythm.overlapped(played.now), None);
            played.now += STEP;
            assert_eq!(played.rhythm.answered(played.now), None);
        }
        assert_eq!(played.play(STEP, 3 * WINDOW), [Change::Share]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_leaves_the_core_that_it_shares() {
        let all = sched_getaffinity(None).unwrap();
        let mut thread = Thread::default();
        thread.share();
        let shared = sched_getaffinity(None).unwrap();
        match all.count() {
            ..2 => assert_eq!(thread.core, None),
            2.. => assert!(shared.count() == 1 && shared.is_set(thread.core.unwrap())),
        }
        thread.leave();
        assert!(thread.core.is_none() && sched_getaffinity(None).unwrap() == all);
    }
}
