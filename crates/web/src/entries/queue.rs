//! The queues in which uploaded bots wait: one per hill, so that bots come onto the board in the order of their uploads.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dicehill_arena::BotName;
use dicehill_store::{EntryStore, FileError, HillStore, TokenError};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::manifest::UploadedBot;
use super::queue_status::QueueStatus;
use super::runner::{EntryRunner, name_refusal};
use crate::hills::Hills;
use crate::requests::run_blocking;
use crate::{Config, Problem};

/// The most bots that wait for one hill.
const MAX_WAITING: usize = 20;
/// The longest that all runners together may take to stop.
const SHUTDOWN_TIME: Duration = Duration::from_secs(20);

/// The queues of all hills.
pub(crate) struct EntryQueue {
    hills: HashMap<String, HillQueue>,
    runners: Mutex<Vec<JoinHandle<()>>>,
    stop: watch::Sender<bool>,
}

/// The queue of a hill.
struct HillQueue {
    path: PathBuf,
    sender: mpsc::Sender<(i64, UploadedBot)>,
    status: QueueStatus,
    /// Counts the changes of the hill's entries.
    changes: watch::Sender<u64>,
}

impl EntryQueue {
    /// Starts a runner for each of these hills. Runners first finish the entries that were open when the server stopped.
    ///
    /// # Errors
    /// If a hill's entries cannot be written.
    pub(super) fn open(hills: &Hills, config: &Config) -> Result<Self, FileError> {
        let stop = watch::Sender::new(false);
        let mut queues = HashMap::new();
        let mut runners = Vec::new();
        for hill in hills.all() {
            let path = std::path::absolute(hill.path()).unwrap_or_else(|_| hill.path().to_owned());
            let open_entries = EntryStore::open(&path)?.open_entries()?;
            let record = HillStore::open(&path)?.hill().clone();
            let (sender, receiver) = mpsc::channel(MAX_WAITING);
            let changes = watch::Sender::new(0);
            let status = QueueStatus::default();
            let runner = EntryRunner {
                path: path.clone(),
                hill: record,
                program: config.program.clone(),
                trusts_hill: config.trusts_hills,
                status: status.clone(),
                changes: changes.clone(),
                stop: stop.subscribe(),
            };
            runners.push(tokio::spawn(runner.run(open_entries, receiver)));
            queues.insert(hill.address().to_owned(), HillQueue { path, sender, status, changes });
        }
        Ok(Self { hills: queues, runners: Mutex::new(runners), stop })
    }

    /// A queue that accepts nothing.
    pub(super) fn closed() -> Self {
        let runners = Mutex::new(Vec::new());
        Self { hills: HashMap::new(), runners, stop: watch::Sender::new(true) }
    }

    /// Adds a bot to the queue of a hill, with the number of its token; returns the entry's number.
    ///
    /// # Errors
    /// If the queue is full or closed, the name is taken, or the token is not valid any more.
    pub(super) async fn add(
        &self,
        hill: &str,
        token: i64,
        bot: UploadedBot,
    ) -> Result<i64, Problem> {
        let queue = self.hills.get(hill).filter(|_| !*self.stop.borrow());
        let closed = || Problem::Forbidden("this server accepts no uploads now".to_owned());
        let queue = queue.ok_or_else(closed)?;
        let permit = queue.sender.try_reserve().map_err(|error| match error {
            TrySendError::Full(()) => Problem::RateLimited(format!(
                "{MAX_WAITING} bots are already waiting for this hill; try again later"
            )),
            TrySendError::Closed(()) => closed(),
        })?;
        let path = queue.path.clone();
        let name = bot.name().clone();
        let id = run_blocking(move || add_entry(&path, token, &name)).await?;
        permit.send((id, bot));
        queue.changes.send_modify(|changes| *changes += 1);
        Ok(id)
    }

    /// How far the entry of a hill is that is being processed, and how long the last qualification took.
    pub(super) fn status(&self, hill: &str) -> QueueStatus {
        self.hills.get(hill).map_or_else(QueueStatus::default, |queue| queue.status.clone())
    }

    /// A channel that yields whenever an entry of a hill has changed, and one that yields `true` when the queue closes.
    pub(crate) fn changes(&self, hill: &str) -> (watch::Receiver<u64>, watch::Receiver<bool>) {
        let changes = self.hills.get(hill).map(|queue| queue.changes.subscribe());
        (changes.unwrap_or_else(|| watch::channel(0).1), self.stop.subscribe())
    }

    /// Stops all runners. The next server continues with the entries that are open then.
    pub(crate) async fn close(&self) {
        self.stop.send_replace(true);
        let runners =
            std::mem::take(&mut *self.runners.lock().unwrap_or_else(PoisonError::into_inner));
        let all = async {
            for runner in runners {
                let _panicked = runner.await;
            }
        };
        let _too_long = timeout(SHUTDOWN_TIME, all).await;
    }
}

fn add_entry(path: &Path, token: i64, name: &BotName) -> Result<i64, Problem> {
    let mut store = EntryStore::open(path)?;
    if let Some(refusal) = name_refusal(&store, name, token)? {
        return Err(Problem::Conflict(refusal.to_owned()));
    }
    store.add_entry(token, name).map_err(token_problem)
}

/// The problem of an invalid token, or of a store that cannot be read.
pub(super) fn token_problem(error: TokenError) -> Problem {
    match error {
        TokenError::File(error) => error.into(),
        error @ (TokenError::Unknown
        | TokenError::Revoked
        | TokenError::Expired
        | TokenError::UsedUp(_)) => Problem::Forbidden(error.to_string()),
    }
}
