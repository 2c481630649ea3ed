//! The writer of a run: it takes events, and a thread ends its transactions in time.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use dicehill_arena::{Commitment, Event, TournamentGame, printable_json};

use super::run_inserter::{DELAY, RunInserter};

/// Writes the events of one run. Events are on disk after [`RunWriter::flush`], and within a tenth of a second without it.
pub struct RunWriter {
    // Dropped first, which ends its thread, so that dropping the inserter here closes the database.
    _flusher: Flusher,
    inserter: Arc<Mutex<RunInserter>>,
    path: PathBuf,
    run: i64,
}

impl RunWriter {
    /// Shares the inserter with a thread that ends its transactions in time.
    pub(super) fn new(inserter: RunInserter) -> Self {
        let (path, run) = (inserter.path().to_owned(), inserter.run());
        let inserter = Arc::new(Mutex::new(inserter));
        Self { _flusher: Flusher::start(Arc::clone(&inserter)), inserter, path, run }
    }

    /// The number of the run in its hill.
    #[must_use]
    pub const fn run(&self) -> i64 {
        self.run
    }

    /// The path of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Assigns the commitment from which the run's seed is derived. No other run can use it after the run's first event.
    #[must_use]
    pub fn with_commitment(self, commitment: &Commitment) -> Self {
        lock(&self.inserter).commitment = Some(commitment.clone());
        self
    }

    /// Marks the run as one that the queue plays, and resumes after a restart.
    #[must_use]
    pub fn of_queue(self) -> Self {
        lock(&self.inserter).is_queued = true;
        self
    }

    /// Writes what an event adds to the run.
    ///
    /// # Errors
    /// If it cannot be written, or a game is stored already or leaves a gap.
    pub fn write<G: TournamentGame>(&self, event: &Event<'_, G>) -> io::Result<()> {
        lock(&self.inserter).unless_failed(|inserter| match event {
            Event::Started(header) => inserter.start(header),
            Event::Played(played, ledger) => inserter.store_played(played, ledger.records()),
            Event::Recalled(recalled, ledger) => {
                inserter.store_recalled::<G>(recalled, ledger.records())
            }
            Event::Barred(bar) => inserter.store_bar(bar),
            // These add nothing: the first does not count, and the game's own line reports the others.
            Event::Retried(_) | Event::MemoryLost { .. } | Event::Diverged { .. } => Ok(()),
            Event::Ended(document) => inserter.store_result(&printable_json(document)?),
        })
    }

    /// Whether a part of the run is on disk, where it can be resumed.
    #[must_use]
    pub fn has_stored(&self) -> bool {
        lock(&self.inserter).has_stored()
    }

    /// Writes everything to disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&self) -> io::Result<()> {
        lock(&self.inserter).unless_failed(RunInserter::flush)
    }
}

/// A thread that ends transactions when they have been open for long enough.
struct Flusher {
    /// Carries no message: dropping it ends the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Flusher {
    fn start(inserter: Arc<Mutex<RunInserter>>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || keep_flushing(&inserter, &stopped));
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // The thread returns nothing, and a panic in it has been reported.
            let _ = thread.join();
        }
    }
}

fn keep_flushing(inserter: &Mutex<RunInserter>, stopped: &Receiver<()>) {
    while stopped.recv_timeout(DELAY / 2) == Err(RecvTimeoutError::Timeout) {
        // The next event reports a failure.
        let _kept = lock(inserter).unless_failed(RunInserter::flush_if_due);
    }
}

fn lock(inserter: &Mutex<RunInserter>) -> MutexGuard<'_, RunInserter> {
    inserter.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use dicehill_arena::HillDraft;
    use dicehill_rules::yahtzee::Yahtzee;

    use super::*;
    use crate::{HillSettings, HillStore};

    /// Otherwise the program could end while the thread still has the database open.
    #[test]
    fn dropping_the_writer_ends_its_thread_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let hill = HillSettings::from_draft(&HillDraft::<Yahtzee>::challenge(Vec::new(), ""), None);
        let store = HillStore::create(&folder.path().join("h.db"), &hill).expect("a new hill");
        let writer = store.begin_run(Vec::new(), true).expect("a run");
        let inserter = Arc::clone(&writer.inserter);
        let guard = lock(&inserter);
        thread::sleep(2 * DELAY);
        let inserter_of_writer = Arc::downgrade(&inserter);
        let dropper = thread::spawn(move || {
            drop(writer);
            inserter_of_writer.strong_count()
        });
        thread::sleep(DELAY);
        drop(guard);
        assert_eq!(dropper.join().expect("it ends"), 1, "only this test has the inserter");
    }
}
