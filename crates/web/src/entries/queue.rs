//! The queues in which uploaded bots wait: one per hill, so that bots come onto the board in the order of their uploads.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dicehill_store::{
    EntryRefusal, EntryStore, FileError, HillStore, LockedFile, NewUpload, TokenError,
};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::file_stamp::FileStamp;
use super::followed_command::CommandRunner;
use super::free_disk::FreeDisk;
use super::queue_lock;
use super::queue_status::QueueStatus;
use super::runner::EntryRunner;
use crate::hills::Hills;
use crate::remote::remote_bots::RemoteBots;
use crate::requests::run_blocking;
use crate::{Config, Problem};

/// The longest that all runners together may take to stop.
const SHUTDOWN_TIME: Duration = Duration::from_secs(20);

/// The queues of all hills.
pub(crate) struct EntryQueue {
    hills: HashMap<String, HillQueue>,
    runners: Mutex<Vec<(String, JoinHandle<()>)>>,
    stop: watch::Sender<bool>,
}

/// The queue of a hill, which is in the hill's store.
struct HillQueue {
    path: PathBuf,
    status: QueueStatus,
    /// Counts the entries that were added.
    added: watch::Sender<u64>,
    /// Counts the changes of the hill's entries.
    changes: watch::Sender<u64>,
    /// No other server processes the queue.
    _lock: LockedFile,
}

impl EntryQueue {
    /// Starts a runner for each of these hills. Runners resume the entries and runs that were open when the server stopped.
    ///
    /// # Errors
    /// If a hill's entries cannot be written.
    pub(super) fn open(
        hills: &Hills,
        config: &Config,
        remote: &RemoteBots,
    ) -> Result<Self, FileError> {
        let stop = watch::Sender::new(false);
        let mut queues = HashMap::new();
        let mut runners = Vec::new();
        for hill in hills.all() {
            let path = std::path::absolute(hill.path()).unwrap_or_else(|_| hill.path().to_owned());
            let lock = queue_lock::lock(&path)?;
            drop(EntryStore::open(&path)?);
            let (added, changes) = (watch::Sender::new(0), watch::Sender::new(0));
            let status = QueueStatus::default();
            let runner = EntryRunner {
                hill: HillStore::open(&path)?.hill().clone(),
                commands: CommandRunner {
                    path: path.clone(),
                    program: config.program.clone(),
                    status: status.clone(),
                    changes: changes.clone(),
                    stop: stop.subscribe(),
                    remote: remote.of_hill(hill.address()).cloned(),
                },
                trusts_hill: config.trusts_hills,
                worker_options: config.worker_options.clone(),
                added: added.subscribe(),
                retry_pause: config.limits.retry_pause,
                failures: 0,
                seen: FileStamp::default(),
                disk: FreeDisk::new(config),
                is_short: false,
            };
            runners.push((hill.address().to_owned(), tokio::spawn(runner.run())));
            queues.insert(
                hill.address().to_owned(),
                HillQueue { path, status, added, changes, _lock: lock },
            );
        }
        Ok(Self { hills: queues, runners: Mutex::new(runners), stop })
    }

    /// A queue that accepts nothing.
    pub(super) fn closed() -> Self {
        let runners = Mutex::new(Vec::new());
        Self { hills: HashMap::new(), runners, stop: watch::Sender::new(true) }
    }

    /// Adds an upload to the queue of a hill, with the number of its token; returns the entry's number. Once it does, the upload
    /// is on disk.
    ///
    /// # Errors
    /// If the queue is closed, or the hill refuses the upload.
    pub(super) async fn add(
        &self,
        hill: &str,
        token: i64,
        upload: NewUpload,
    ) -> Result<i64, Problem> {
        let closed = || Problem::Forbidden("this server accepts no uploads now".to_owned());
        let queue = self.hills.get(hill).ok_or_else(closed)?;
        if *self.stop.borrow() {
            return Err(Problem::Ending);
        }
        let path = queue.path.clone();
        let add = move || {
            let mut store = EntryStore::open(&path).map_err(EntryRefusal::File)?;
            store.add_upload(token, &upload)
        };
        let id = run_blocking(move || add().map_err(refusal_problem)).await?;
        for counter in [&queue.added, &queue.changes] {
            counter.send_modify(|count| *count += 1);
        }
        Ok(id)
    }

    /// Whether the queue of a hill is being processed.
    pub(crate) fn is_running(&self, hill: &str) -> bool {
        let runners = self.runners.lock().unwrap_or_else(PoisonError::into_inner);
        runners.iter().any(|(of, runner)| of == hill && !runner.is_finished())
    }

    /// How far the entry or run of a hill is that is being processed.
    pub(crate) fn status(&self, hill: &str) -> QueueStatus {
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
            for (_, runner) in runners {
                let _panicked = runner.await;
            }
        };
        let _too_long = timeout(SHUTDOWN_TIME, all).await;
    }
}

/// The problem of a refused upload.
fn refusal_problem(refusal: EntryRefusal) -> Problem {
    match refusal {
        EntryRefusal::File(error) => error.into(),
        EntryRefusal::Token(error) => token_problem(error),
        EntryRefusal::Role
        | EntryRefusal::Remote
        | EntryRefusal::Early(_)
        | EntryRefusal::Late(_) => Problem::Forbidden(refusal.to_string()),
        EntryRefusal::Environment(_) => Problem::BadRequest(refusal.to_string()),
        EntryRefusal::Full | EntryRefusal::Waiting(_) | EntryRefusal::Daily(_) => {
            Problem::RateLimited(refusal.to_string())
        }
        EntryRefusal::Bots(_)
        | EntryRefusal::Barred
        | EntryRefusal::NameTaken
        | EntryRefusal::OwnName(_)
        | EntryRefusal::Unchanged(_) => Problem::Conflict(refusal.to_string()),
    }
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
