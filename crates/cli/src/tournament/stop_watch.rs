//! Notices that the host asks a run of a hill to stop.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use dicehill_store::{EntryStore, FileError};

/// The interval at which the store is read.
const INTERVAL: Duration = Duration::from_millis(250);

/// A thread that sets a stop flag once `dicehill hill stop` or `dicehill hill bar` asks for it. It ends on drop, which has
/// to come before the run's own connection to the store is closed, so that this one removes its temporary files.
pub(crate) struct StopWatch {
    /// Disconnected to end the thread.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl StopWatch {
    /// Watches the store at `path`, which this process has opened to write.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn start(path: &Path, stop: &Arc<AtomicBool>) -> Result<Self, FileError> {
        let store = EntryStore::open_to_read(path)?;
        let before = store.stop_requests()?;
        let (end, ended) = mpsc::channel::<()>();
        let stop = Arc::clone(stop);
        let thread = thread::spawn(move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if store.stop_requests().is_ok_and(|now| now != before) {
                    return stop.store(true, Ordering::Relaxed);
                }
            }
        });
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for StopWatch {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}
