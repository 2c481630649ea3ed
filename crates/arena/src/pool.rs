//! Work on all cores, consumed in order.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many pieces may be ahead of the one to be consumed next, for each worker.
const AHEAD: u64 = 8;
/// How long the consumer waits for results before it looks around.
const LOOK_AROUND: Duration = Duration::from_millis(50);

/// Calls `work` for 0, 1, ... `pieces - 1` on `jobs` threads and `consume` with the results, in
/// that order, on this thread, until it breaks. One job needs no thread.
///
/// What was worked out beyond the point of breaking is dropped. A panic in `work` is passed on.
pub(crate) fn in_order<T: Send, B>(
    jobs: usize,
    pieces: u64,
    work: impl Fn(u64) -> T + Sync,
    mut consume: impl FnMut(T) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if jobs <= 1 {
        return (0..pieces).try_for_each(|piece| consume(work(piece)));
    }
    let work = |feed: &Feed<'_, T>| {
        while let Some(piece) = feed.take() {
            feed.done(piece, work(piece));
        }
    };
    let ahead = AHEAD * jobs as u64;
    feed_in_order(jobs, pieces, ahead, work, |_, result| {
        result.map_or(ControlFlow::Continue(()), &mut consume)
    })
}

/// Lets `jobs` threads run `work`, each of which takes pieces 0, 1, ... `pieces - 1` from its feed as
/// it likes and gives back a result for each; `consume` gets the results in order, on this thread,
/// until it breaks, and `None` from time to time when none has come. No piece is given out that is
/// `ahead` of the one to be consumed next.
pub(crate) fn feed_in_order<T: Send, B>(
    jobs: usize,
    pieces: u64,
    ahead: u64,
    work: impl Fn(&Feed<'_, T>) + Sync,
    mut consume: impl FnMut(&Counter, Option<T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let counter = Counter::new(pieces, ahead);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let _closed_at_the_end = CloseOnDrop(&counter);
        for _ in 0..jobs {
            let (counter, results, work) = (&counter, sender.clone(), &work);
            scope.spawn(move || {
                let feed = Feed { counter, results };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&feed))) {
                    counter.close();
                    let _nobody_waits = feed.results.send(Err(panic));
                }
            });
        }
        drop(sender);
        collect(&results, &counter, &mut consume).unwrap_or_else(|panic| resume_unwind(panic))
    })
}

type Panic = Box<dyn Any + Send>;
type Sent<T> = Result<(u64, T), Panic>;

fn collect<T, B>(
    results: &mpsc::Receiver<Sent<T>>,
    counter: &Counter,
    consume: &mut impl FnMut(&Counter, Option<T>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, Panic> {
    let mut early = BTreeMap::new();
    let mut wanted = 0;
    loop {
        match results.recv_timeout(LOOK_AROUND) {
            Ok(sent) => {
                let (piece, result) = sent?;
                early.insert(piece, result);
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(ControlFlow::Continue(())),
            Err(RecvTimeoutError::Timeout) => {
                if let ControlFlow::Break(end) = consume(counter, None) {
                    return Ok(ControlFlow::Break(end));
                }
            }
        }
        while let Some(result) = early.remove(&wanted) {
            wanted += 1;
            counter.advance(wanted);
            if let ControlFlow::Break(end) = consume(counter, Some(result)) {
                return Ok(ControlFlow::Break(end));
            }
        }
    }
}

/// What a worker takes its pieces from.
pub(crate) struct Feed<'a, T> {
    counter: &'a Counter,
    results: mpsc::Sender<Sent<T>>,
}

/// What a feed has for somebody who does not want to wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offer {
    /// This piece.
    Piece(u64),
    /// Nothing now.
    Later,
    /// Nothing ever more.
    End,
}

impl<T> Feed<'_, T> {
    /// The next piece, as soon as it may be worked on; `None` once nothing more is wanted.
    pub(crate) fn take(&self) -> Option<u64> {
        let counter = self.counter;
        let waits = |state: &mut State| matches!(counter.offer(state), Offer::Later);
        let guard = counter.moved.wait_while(counter.lock(), waits);
        match counter.give(&mut guard.unwrap_or_else(PoisonError::into_inner)) {
            Offer::Piece(piece) => Some(piece),
            Offer::Later | Offer::End => None,
        }
    }

    /// The next piece if it may be worked on now.
    pub(crate) fn offer(&self) -> Offer {
        self.counter.give(&mut self.counter.lock())
    }

    /// Gives back the result of a piece that was taken.
    pub(crate) fn done(&self, piece: u64, result: T) {
        let _nobody_waits = self.results.send(Ok((piece, result)));
        self.counter.lock().out -= 1;
        self.counter.moved.notify_all();
    }

    /// Whether nobody wants any result more.
    pub(crate) fn is_closed(&self) -> bool {
        self.counter.closed.load(Ordering::Relaxed)
    }
}

/// Lets the workers go when the consumer has had enough, and also when it panics.
struct CloseOnDrop<'a>(&'a Counter);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Gives out pieces, and keeps workers from running too far ahead of the consumer.
pub(crate) struct Counter {
    state: Mutex<State>,
    moved: Condvar,
    closed: AtomicBool,
    ahead: u64,
}

struct State {
    /// How many pieces are to be given out in all.
    pieces: u64,
    /// The piece to be consumed next.
    wanted: u64,
    /// The piece to be given out next.
    next: u64,
    /// Pieces given out and not done.
    out: u64,
    /// Whether nothing is given out for the moment.
    hushed: bool,
}

impl Counter {
    const fn new(pieces: u64, ahead: u64) -> Self {
        let state = State { pieces, wanted: 0, next: 0, out: 0, hushed: false };
        Self {
            state: Mutex::new(state),
            moved: Condvar::new(),
            closed: AtomicBool::new(false),
            ahead,
        }
    }

    /// Gives out nothing more; what is out is still worked on and consumed.
    pub(crate) fn run_out(&self) {
        let mut state = self.lock();
        state.pieces = state.next;
        drop(state);
        self.moved.notify_all();
    }

    /// Does `work` while no worker works.
    pub(crate) fn hushed<R>(&self, work: impl FnOnce() -> R) -> R {
        self.lock().hushed = true;
        let works = |state: &mut State| state.out > 0 && !self.closed.load(Ordering::Relaxed);
        let busy = self.moved.wait_while(self.lock(), works);
        drop(busy);
        let done = work();
        self.lock().hushed = false;
        self.moved.notify_all();
        done
    }

    fn offer(&self, state: &State) -> Offer {
        if state.next >= state.pieces || self.closed.load(Ordering::Relaxed) {
            Offer::End
        } else if state.hushed || state.next >= state.wanted + self.ahead {
            Offer::Later
        } else {
            Offer::Piece(state.next)
        }
    }

    fn give(&self, state: &mut State) -> Offer {
        let offer = self.offer(state);
        if matches!(offer, Offer::Piece(_)) {
            state.next += 1;
            state.out += 1;
        }
        offer
    }

    fn advance(&self, wanted: u64) {
        self.lock().wanted = wanted;
        self.moved.notify_all();
    }

    fn close(&self) {
        let guard = self.lock();
        self.closed.store(true, Ordering::Relaxed);
        drop(guard);
        self.moved.notify_all();
    }

    /// The numbers are whole even if somebody panicked with the lock in hand.
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
            let flow = in_order::<_, ()>(
                jobs,
                1000,
                |piece| piece * piece,
                |square| {
                    seen.push(square);
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(flow, ControlFlow::Continue(()));
            assert_eq!(seen, (0..1000).map(|n| n * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_break_ends_the_work() {
        for jobs in [1, 3] {
            let at =
                |n: u64| if n == 17 { ControlFlow::Break(n) } else { ControlFlow::Continue(()) };
            assert_eq!(in_order(jobs, u64::MAX, |piece| piece, at), ControlFlow::Break(17));
        }
    }

    #[test]
    fn what_is_out_is_consumed_when_the_work_runs_out() {
        for jobs in [1, 4] {
            let work = |feed: &Feed<'_, u64>| {
                while let Some(piece) = feed.take() {
                    feed.done(piece, piece);
                }
            };
            let mut seen = Vec::new();
            let flow = feed_in_order::<_, ()>(jobs, u64::MAX, 8, work, |counter, result| {
                seen.extend(result);
                if seen.len() == 100 {
                    counter.run_out();
                }
                ControlFlow::Continue(())
            });
            assert_eq!(flow, ControlFlow::Continue(()));
            assert!((100..=108).contains(&seen.len()), "{}", seen.len());
            assert!(seen.iter().copied().eq(0..seen.len() as u64));
        }
    }

    #[test]
    fn a_panic_of_the_consumer_is_passed_on() {
        let consume = |piece: u64| -> ControlFlow<()> { panic!("at {piece}") };
        assert!(catch_unwind(|| in_order(4, u64::MAX, |piece| piece, consume)).is_err());
    }

    #[test]
    fn a_panic_is_passed_on() {
        let work = |piece: u64| assert!(piece != 5, "the fifth");
        let outcome =
            catch_unwind(|| in_order::<_, ()>(4, 100, work, |()| ControlFlow::Continue(())));
        assert!(outcome.is_err());
    }
}
