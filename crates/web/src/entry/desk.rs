//! The desk where entries wait: one after the other for each hill, so that what is on a board came there in order.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dicehill_arena::BotName;
use dicehill_store::{EntryBook, FileError, HillStore, TokenError};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

use super::clerk::{Clerk, NAME_TAKEN};
use super::recipe::Incoming;
use crate::Problem;
use crate::hills::Hills;

/// Bots that wait for one hill.
const MOST_WAITING: usize = 20;
/// The longest that all entries together may take to come to an orderly end.
const PATIENCE: Duration = Duration::from_secs(20);

/// The desk where entries wait.
pub(crate) struct Desk {
    counters: HashMap<String, Counter>,
    workers: Mutex<Vec<JoinHandle<()>>>,
    end: watch::Sender<bool>,
}

/// The queue of a hill.
struct Counter {
    path: PathBuf,
    queue: mpsc::Sender<(i64, Incoming)>,
    changes: watch::Sender<u64>,
}

impl Desk {
    /// Opens a desk for these hills; `program` is the `dicehill` command. What was not
    /// done when the server ended last is gone on with.
    ///
    /// # Errors
    /// If a hill's entries cannot be written.
    pub(crate) fn open(hills: &Hills, program: &Path) -> Result<Self, FileError> {
        let end = watch::Sender::new(false);
        let (mut counters, mut workers) = (HashMap::new(), Vec::new());
        for hill in hills.all() {
            let path = std::path::absolute(hill.path()).unwrap_or_else(|_| hill.path().to_owned());
            let left = EntryBook::open(&path)?.open_entries()?;
            let terms = HillStore::open(&path)?.hill().clone();
            let (queue, waiting) = mpsc::channel(MOST_WAITING);
            let changes = watch::Sender::new(0);
            let clerk = Clerk {
                path: path.clone(),
                hill: terms,
                program: program.to_owned(),
                changes: changes.clone(),
                end: end.subscribe(),
            };
            workers.push(tokio::spawn(clerk.work(left, waiting)));
            counters.insert(hill.address().to_owned(), Counter { path, queue, changes });
        }
        Ok(Self { counters, workers: Mutex::new(workers), end })
    }

    /// A desk that takes nothing.
    pub(crate) fn closed() -> Self {
        let workers = Mutex::new(Vec::new());
        Self { counters: HashMap::new(), workers, end: watch::Sender::new(true) }
    }

    /// Takes a bot in for a hill, with a token; gives the entry's number.
    pub(crate) async fn take(&self, hill: &str, token: i64, bot: Incoming) -> Result<i64, Problem> {
        let counter = self.counters.get(hill).filter(|_| !*self.end.borrow());
        let closed = || Problem::Forbidden("this server takes no bots now".to_owned());
        let counter = counter.ok_or_else(closed)?;
        let place = counter.queue.try_reserve().map_err(|error| match error {
            TrySendError::Full(()) => Problem::TooMany(format!(
                "{MOST_WAITING} bots wait for this hill already; come again when some are done"
            )),
            TrySendError::Closed(()) => closed(),
        })?;
        let (path, name) = (counter.path.clone(), bot.name().clone());
        let id = off_the_loop(move || add_entry(&path, token, &name)).await?;
        place.send((id, bot));
        counter.changes.send_modify(|changes| *changes += 1);
        Ok(id)
    }

    /// What is told whenever something has come to an entry of a hill, and when the desk closes.
    pub(crate) fn news(&self, hill: &str) -> (watch::Receiver<u64>, watch::Receiver<bool>) {
        let changes = self.counters.get(hill).map(|counter| counter.changes.subscribe());
        (changes.unwrap_or_else(|| watch::channel(0).1), self.end.subscribe())
    }

    /// Has whatever runs come to an orderly end, from which it can go on.
    pub(crate) async fn close(&self) {
        self.end.send_replace(true);
        let workers =
            std::mem::take(&mut *self.workers.lock().unwrap_or_else(PoisonError::into_inner));
        let all = async {
            for worker in workers {
                let _panicked = worker.await;
            }
        };
        let _too_long = timeout(PATIENCE, all).await;
    }
}

fn add_entry(path: &Path, token: i64, name: &BotName) -> Result<i64, Problem> {
    let mut book = EntryBook::open(path)?;
    if !book.may_be_called(name, token)? {
        return Err(Problem::Conflict(NAME_TAKEN.to_owned()));
    }
    book.add_entry(token, name).map_err(refused)
}

/// A token that is not taken, as a visitor is told.
pub(crate) fn refused(error: TokenError) -> Problem {
    match error {
        TokenError::File(error) => error.into(),
        error @ (TokenError::Unknown
        | TokenError::Revoked
        | TokenError::Expired
        | TokenError::UsedUp(_)) => Problem::Forbidden(error.to_string()),
    }
}

/// Does what waits for a disk on a thread of its own.
pub(crate) async fn off_the_loop<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    match spawn_blocking(work).await {
        Ok(done) => done,
        Err(_) => Err(Problem::Ours("something went wrong on the server".to_owned())),
    }
}
