//! Runs numbered tasks on all cores and consumes their results in order.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many tasks, for each worker, may be ahead of the one that is consumed next.
const AHEAD: u64 = 8;
/// How long the consumer waits for a result before it is called without one.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Calls `work` for each of `tasks` on `jobs` threads, and `consume` with the results on this thread, in their order. A
/// single job uses this thread alone.
///
/// Results beyond the first error of `consume` are dropped. A panic in `work` is passed on.
///
/// # Errors
/// The first error of `consume`.
pub(crate) fn in_order<T: Send, E>(
    jobs: usize,
    mut tasks: Range<u64>,
    work: impl Fn(u64) -> T + Sync,
    mut consume: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    if jobs <= 1 {
        return tasks.try_for_each(|task| consume(work(task)));
    }
    let work = |queue: &TaskQueue<'_, T>| {
        while let Some(task) = queue.take() {
            queue.complete(task, work(task));
        }
    };
    let ahead = AHEAD * jobs as u64;
    let workers = Workers { all: jobs, first: jobs };
    queued_in_order(workers, tasks, ahead, work, |_, result| result.map_or(Ok(()), &mut consume))
}

/// How many threads work.
#[derive(Clone, Copy)]
pub(crate) struct Workers {
    /// All, once they are admitted.
    pub(crate) all: usize,
    /// Those that need not be admitted ([`Dispatcher::admit`]).
    pub(crate) first: usize,
}

/// Runs `work` on threads, each of which takes the next of `tasks` from its queue when it likes and completes each
/// with a result. `consume` gets the results in order on this thread, and `None` from time to time
/// while there is none. No task is given out that is `ahead` of the one to be consumed next.
///
/// # Errors
/// The first error of `consume`.
pub(crate) fn queued_in_order<T: Send, E>(
    workers: Workers,
    tasks: Range<u64>,
    ahead: u64,
    work: impl Fn(&TaskQueue<'_, T>) + Sync,
    mut consume: impl FnMut(&Dispatcher, Option<T>) -> Result<(), E>,
) -> Result<(), E> {
    let next = tasks.start;
    let dispatcher = Dispatcher::new(tasks, ahead, workers.first);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let _close = CloseOnDrop(&dispatcher);
        for number in 0..workers.all {
            let (dispatcher, results, work) = (&dispatcher, sender.clone(), &work);
            scope.spawn(move || {
                if !dispatcher.wait_for_admission(number) {
                    return;
                }
                let queue = TaskQueue { dispatcher, results };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&queue))) {
                    dispatcher.close();
                    let _receiver_gone = queue.results.send(Err(panic));
                }
            });
        }
        drop(sender);
        collect(&results, next, &dispatcher, &mut consume)
            .unwrap_or_else(|panic| resume_unwind(panic))
    })
}

type Panic = Box<dyn Any + Send>;
type Sent<T> = Result<(u64, T), Panic>;

/// The outer result is a worker's panic, the inner one the error of `consume`.
fn collect<T, E>(
    results: &mpsc::Receiver<Sent<T>>,
    mut next: u64,
    dispatcher: &Dispatcher,
    consume: &mut impl FnMut(&Dispatcher, Option<T>) -> Result<(), E>,
) -> Result<Result<(), E>, Panic> {
    let mut early = BTreeMap::new();
    loop {
        match results.recv_timeout(POLL_INTERVAL) {
            Ok(sent) => {
                let (task, result) = sent?;
                early.insert(task, result);
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(Ok(())),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = consume(dispatcher, None) {
                    return Ok(Err(error));
                }
            }
        }
        while let Some(result) = early.remove(&next) {
            next += 1;
            dispatcher.advance(next);
            if let Err(error) = consume(dispatcher, Some(result)) {
                return Ok(Err(error));
            }
        }
    }
}

/// Where a worker gets its tasks and leaves their results.
pub(crate) struct TaskQueue<'a, T> {
    dispatcher: &'a Dispatcher,
    results: mpsc::Sender<Sent<T>>,
}

/// The answer of a queue to a worker that does not wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextTask {
    /// This task.
    Ready(u64),
    /// No task now.
    NotYet,
    /// No task any more.
    Finished,
}

impl<T> TaskQueue<'_, T> {
    /// Waits for the next task; `None` when no more results are wanted.
    pub(crate) fn take(&self) -> Option<u64> {
        let dispatcher = self.dispatcher;
        let waits = |state: &mut State| dispatcher.next(state) == NextTask::NotYet;
        let guard = dispatcher.changed.wait_while(dispatcher.lock(), waits);
        match dispatcher.give(&mut guard.unwrap_or_else(PoisonError::into_inner)) {
            NextTask::Ready(task) => Some(task),
            NextTask::NotYet | NextTask::Finished => None,
        }
    }

    /// The next task, without waiting.
    pub(crate) fn try_take(&self) -> NextTask {
        self.dispatcher.give(&mut self.dispatcher.lock())
    }

    /// Returns the result of a task that was taken.
    pub(crate) fn complete(&self, task: u64, result: T) {
        let _receiver_gone = self.results.send(Ok((task, result)));
        self.dispatcher.lock().in_progress -= 1;
        self.dispatcher.changed.notify_all();
    }

    /// Whether no more results are wanted.
    pub(crate) fn is_closed(&self) -> bool {
        self.dispatcher.closed.load(Ordering::Relaxed)
    }
}

/// Releases the workers when the consumer returns, even if it panics.
struct CloseOnDrop<'a>(&'a Dispatcher);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Gives out tasks, and keeps workers from running too far ahead of the consumer.
pub(crate) struct Dispatcher {
    state: Mutex<State>,
    changed: Condvar,
    /// Notified when workers are admitted, or none is needed any more.
    admission: Condvar,
    closed: AtomicBool,
    ahead: u64,
}

struct State {
    /// The end of the tasks.
    end: u64,
    /// The task to be consumed next.
    wanted: u64,
    /// The task to be given out next.
    next: u64,
    /// Tasks given out and not completed.
    in_progress: u64,
    /// Whether no task is given out for the moment.
    is_paused: bool,
    /// Workers that may begin.
    admitted: usize,
}

impl Dispatcher {
    const fn new(tasks: Range<u64>, ahead: u64, admitted: usize) -> Self {
        let Range { start, end } = tasks;
        let (in_progress, is_paused) = (0, false);
        let state = State { end, wanted: start, next: start, in_progress, is_paused, admitted };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            admission: Condvar::new(),
            closed: AtomicBool::new(false),
            ahead,
        }
    }

    /// Gives out no further task; those in progress are completed and consumed.
    pub(crate) fn drain(&self) {
        let mut state = self.lock();
        state.end = state.next;
        drop(state);
        self.changed.notify_all();
        self.admission.notify_all();
    }

    /// Lets up to `most` further workers begin, but not more than there are: what these take shows later.
    pub(crate) fn admit(&self, most: usize) {
        if most > 0 {
            let mut state = self.lock();
            state.admitted = state.admitted.saturating_add(most.min(state.admitted));
            drop(state);
            self.admission.notify_all();
        }
    }

    /// Waits until the worker with this number, from zero, may begin; false if it is not needed any more.
    fn wait_for_admission(&self, number: usize) -> bool {
        let waits =
            |state: &mut State| number >= state.admitted && self.next(state) != NextTask::Finished;
        let guard = self.admission.wait_while(self.lock(), waits);
        number < guard.unwrap_or_else(PoisonError::into_inner).admitted
    }

    /// Does `work` while no task is in progress.
    pub(crate) fn while_idle<R>(&self, work: impl FnOnce() -> R) -> R {
        self.lock().is_paused = true;
        let is_busy =
            |state: &mut State| state.in_progress > 0 && !self.closed.load(Ordering::Relaxed);
        let guard = self.changed.wait_while(self.lock(), is_busy);
        drop(guard);
        let done = work();
        self.lock().is_paused = false;
        self.changed.notify_all();
        done
    }

    fn next(&self, state: &State) -> NextTask {
        if state.next >= state.end || self.closed.load(Ordering::Relaxed) {
            NextTask::Finished
        } else if state.is_paused || state.next >= state.wanted + self.ahead {
            NextTask::NotYet
        } else {
            NextTask::Ready(state.next)
        }
    }

    fn give(&self, state: &mut State) -> NextTask {
        let next = self.next(state);
        if matches!(next, NextTask::Ready(_)) {
            state.next += 1;
            state.in_progress += 1;
            if state.next == state.end {
                self.admission.notify_all();
            }
        }
        next
    }

    fn advance(&self, wanted: u64) {
        self.lock().wanted = wanted;
        self.changed.notify_all();
    }

    fn close(&self) {
        let guard = self.lock();
        self.closed.store(true, Ordering::Relaxed);
        drop(guard);
        self.changed.notify_all();
        self.admission.notify_all();
    }

    /// A poisoned lock is no problem: each update of the numbers is a single assignment.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        for jobs in [1, 2, 8] {
            let mut seen = Vec::new();
            let consume = |square| {
                seen.push(square);
                Ok::<_, ()>(())
            };
            assert_eq!(in_order(jobs, 0..1000, |task| task * task, consume), Ok(()));
            assert_eq!(seen, (0..1000).map(|n| n * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn tasks_may_begin_at_any_number() {
        for jobs in [1, 3] {
            let mut seen = Vec::new();
            let consume = |task| {
                seen.push(task);
                Ok::<_, ()>(())
            };
            assert_eq!(in_order(jobs, 70..90, |task| task, consume), Ok(()));
            assert_eq!(seen, (70..90).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_of_the_consumer_ends_the_work() {
        for jobs in [1, 3] {
            let consume = |n: u64| if n == 17 { Err(n) } else { Ok(()) };
            assert_eq!(in_order(jobs, 0..u64::MAX, |task| task, consume), Err(17));
        }
    }

    #[test]
    fn tasks_in_progress_are_consumed_when_the_queue_drains() {
        for workers in [1, 4].map(|all| Workers { all, first: all }) {
            let work = |queue: &TaskQueue<'_, u64>| {
                while let Some(task) = queue.take() {
                    queue.complete(task, task);
                }
            };
            let mut seen = Vec::new();
            let consume = |dispatcher: &Dispatcher, result: Option<u64>| {
                seen.extend(result);
                if seen.len() == 100 {
                    dispatcher.drain();
                }
                Ok::<_, ()>(())
            };
            assert_eq!(queued_in_order(workers, 0..u64::MAX, 8, work, consume), Ok(()));
            assert!((100..=108).contains(&seen.len()), "{}", seen.len());
            assert!(seen.iter().copied().eq(0..seen.len() as u64));
        }
    }

    #[test]
    fn workers_wait_until_they_are_admitted() {
        const ADMISSION: u64 = 100;
        let others_work = AtomicBool::new(false);
        let began = Mutex::new(Vec::new());
        let work = |queue: &TaskQueue<'_, u64>| {
            let is_first = began.lock().unwrap().is_empty();
            began.lock().unwrap().push(std::thread::current().id());
            others_work.fetch_or(!is_first, Ordering::Relaxed);
            while let Some(task) = queue.take() {
                queue.complete(task, task);
                // Leaves work to those that were admitted.
                while task > ADMISSION && !others_work.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            }
        };
        let mut seen = Vec::new();
        let mut workers_before = 0;
        let consume = |dispatcher: &Dispatcher, result: Option<u64>| {
            seen.extend(result);
            if seen.len() as u64 == ADMISSION {
                workers_before = began.lock().unwrap().len();
                dispatcher.admit(usize::MAX);
            }
            Ok::<_, ()>(())
        };
        let workers = Workers { all: 8, first: 1 };
        assert_eq!(queued_in_order(workers, 0..1000, 8, work, consume), Ok(()));
        assert!(seen.iter().copied().eq(0..1000));
        assert_eq!(workers_before, 1);
        assert_eq!(began.into_inner().unwrap().len(), 2);
    }

    #[test]
    fn a_panic_of_the_consumer_is_passed_on() {
        let consume = |task: u64| -> Result<(), ()> { panic!("at {task}") };
        assert!(catch_unwind(|| in_order(4, 0..u64::MAX, |task| task, consume)).is_err());
    }

    #[test]
    fn a_panic_of_a_worker_is_passed_on() {
        let work = |task: u64| assert!(task != 5, "the fifth");
        assert!(catch_unwind(|| in_order(4, 0..100, work, |()| Ok::<_, ()>(()))).is_err());
    }
}
