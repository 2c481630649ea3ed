//! Work on all cores, consumed in order.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// How many pieces may be ahead of the one to be consumed next, for each worker.
const AHEAD: u64 = 8;

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
    let window = Window::new(AHEAD * jobs as u64);
    let next = AtomicU64::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let _closed_at_the_end = CloseOnDrop(&window);
        for _ in 0..jobs {
            let (sender, window, next, work) = (sender.clone(), &window, &next, &work);
            scope.spawn(move || {
                loop {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    if piece >= pieces || !window.wait_for(piece) {
                        return;
                    }
                    let done = catch_unwind(AssertUnwindSafe(|| work(piece)));
                    if sender.send((piece, done)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        collect(&results, &window, &mut consume).unwrap_or_else(|panic| resume_unwind(panic))
    })
}

type Done<T> = Result<T, Box<dyn Any + Send>>;

fn collect<T, B>(
    results: &mpsc::Receiver<(u64, Done<T>)>,
    window: &Window,
    consume: &mut impl FnMut(T) -> ControlFlow<B>,
) -> Done<ControlFlow<B>> {
    let mut early = BTreeMap::new();
    let mut wanted = 0;
    for (piece, done) in results {
        early.insert(piece, done?);
        while let Some(result) = early.remove(&wanted) {
            wanted += 1;
            window.advance(wanted);
            if let ControlFlow::Break(end) = consume(result) {
                return Ok(ControlFlow::Break(end));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Lets the workers go when the consumer has had enough, and also when it panics.
struct CloseOnDrop<'a>(&'a Window);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Keeps workers from running too far ahead of the consumer.
struct Window {
    wanted: Mutex<u64>,
    moved: Condvar,
    closed: AtomicBool,
    length: u64,
}

impl Window {
    const fn new(length: u64) -> Self {
        Self {
            wanted: Mutex::new(0),
            moved: Condvar::new(),
            closed: AtomicBool::new(false),
            length,
        }
    }

    /// Waits until `piece` is near enough; false once nothing more is wanted.
    fn wait_for(&self, piece: u64) -> bool {
        let far = |wanted: &mut u64| {
            piece >= *wanted + self.length && !self.closed.load(Ordering::Relaxed)
        };
        drop(self.moved.wait_while(self.lock(), far).unwrap_or_else(PoisonError::into_inner));
        !self.closed.load(Ordering::Relaxed)
    }

    fn advance(&self, wanted: u64) {
        *self.lock() = wanted;
        self.moved.notify_all();
    }

    fn close(&self) {
        let guard = self.lock();
        self.closed.store(true, Ordering::Relaxed);
        drop(guard);
        self.moved.notify_all();
    }

    /// The number is whole even if somebody panicked with the lock in hand.
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
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
