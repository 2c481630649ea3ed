//! The runner of a hill: qualifies the entries that wait, adds their bots to the hill, and has the hill play.
//!
//! All that it knows is in the store: after a restart, and after a kill, it continues with what it finds there.

mod playing;
mod qualifying;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use dicehill_store::{
    BotKind, EntryState, EntryStore, EntryTerms, EntryWindow, FileError, HillSettings, HillStore,
    StoredEntrant, StoredEntry,
};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use tracing::{error, info, warn};

use super::entry_report::EntryReport;
use super::file_stamp::FileStamp;
use super::followed_command::{ActiveEntry, CommandRunner, Interruption, stopped};
use super::free_disk::FreeDisk;
use super::next_run::{NextRun, next_run};
use crate::model::time::now;

pub(crate) use qualifying::CHECK_TIMEOUT;

/// The pause before another attempt on a hill that another process plays on.
const BUSY_PAUSE: Duration = Duration::from_secs(5);
/// The longest pause in which a change that another process made in the store goes unnoticed.
const POLL_PAUSE: Duration = Duration::from_secs(2);
/// The pause after which the store is read even if it has not changed, since times pass at which something begins.
const WHOLE_PAUSE: Duration = Duration::from_secs(15);
/// The pause before disks without room are looked at again, in seconds.
const DISK_PAUSE: i64 = 2;
/// The attempts before an entry or a run is given up.
const MAX_ATTEMPTS: i64 = 6;
/// The longest time for which entries that arrive are qualified before the run of those that came before them.
const COLLECT_TIME: Duration = Duration::from_secs(15 * 60);
/// The longest time of any other command: a year.
const RUN_TIMEOUT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

const LOST: &str = "the server does not have the file any more; please upload it again";

/// Processes the entries of a hill, one after the other, and has the hill play.
pub(super) struct EntryRunner {
    pub(super) commands: CommandRunner,
    pub(super) hill: HillSettings,
    /// Whether the hill's own bots get the network, secrets and files that the hill names.
    pub(super) trusts_hill: bool,
    /// Options of the commands that play runs: where their workers are. Empty if they have none.
    pub(super) worker_options: Vec<OsString>,
    /// Yields when an entry has been added.
    pub(super) added: watch::Receiver<u64>,
    /// The pause after an error that is not a bot's fault, which doubles with each further one.
    pub(super) retry_pause: Duration,
    /// Errors in a row that are not a bot's fault.
    pub(super) failures: u32,
    /// The hill's file before it was read for the last time.
    pub(super) seen: FileStamp,
    /// The disks, which must have room before something is begun.
    pub(super) disk: FreeDisk,
    /// Whether they had none when they were looked at last.
    pub(super) is_short: bool,
}

impl EntryRunner {
    /// Processes entries until the server stops.
    pub(super) async fn run(mut self) {
        loop {
            let failures = self.failures;
            match self.step().await {
                Ok(()) => self.commands.status.set_failing(self.failures > failures),
                Err(Interruption::Stopping) => return,
                // An error of the hill's file is logged for the host.
                Err(Interruption::File(error)) => {
                    error!("{error}");
                    if self.pause_after_failure().await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Resumes a run, or processes the entries that wait and plays the run that is due, or waits.
    async fn step(&mut self) -> Result<(), Interruption> {
        self.seen = FileStamp::of(self.path());
        if self.is_short_of_disk().await? {
            return self.wait_for_disk().await;
        }
        self.end_lost_entries().await?;
        if let Some(run) = self.with_store(|store| store.run_to_resume()).await? {
            return self.resume(run).await;
        }
        let did_something = self.process_waiting().await?;
        if self.is_short {
            return self.wait_for_disk().await;
        }
        match self.next_run().await? {
            NextRun::Now(kind) => self.play(kind).await,
            NextRun::None | NextRun::At(_) if did_something => Ok(()),
            NextRun::At(at) => self.wait(Some(at)).await,
            NextRun::None => self.wait(None).await,
        }
    }

    /// Whether a disk has too little room to begin anything, which is logged once.
    async fn is_short_of_disk(&mut self) -> Result<bool, FileError> {
        let (disk, path) = (self.disk.clone(), self.path().to_owned());
        let shortage = spawn_blocking(move || disk.shortage(&path)).await;
        let shortage = shortage.map_err(|error| FileError::new(self.path(), error))?;
        let was_short = std::mem::replace(&mut self.is_short, shortage.is_some());
        match (&shortage, was_short) {
            (Some(why), false) => {
                error!(hill = %self.path().display(), "the queue waits: {why}");
            }
            (None, true) => info!(hill = %self.path().display(), "the disk has room again"),
            (Some(_), true) | (None, false) => {}
        }
        Ok(shortage.is_some())
    }

    /// Waits before the disks are looked at again: nothing in the store says when there is room.
    async fn wait_for_disk(&mut self) -> Result<(), Interruption> {
        self.wait(Some(now() + DISK_PAUSE)).await
    }

    /// Waits until an entry is added, until `at` in seconds since 1970, or for a moment, since other processes change the store
    /// too.
    async fn wait(&mut self, at: Option<i64>) -> Result<(), Interruption> {
        let left = at.map(|at| Duration::from_secs((at - now()).max(0).unsigned_abs()));
        let whole = left.map_or(WHOLE_PAUSE, |left| left.min(WHOLE_PAUSE));
        let until = Instant::now() + whole;
        let mut stop = self.commands.stop.clone();
        loop {
            let pause = POLL_PAUSE.min(until.saturating_duration_since(Instant::now()));
            tokio::select! {
                biased;
                () = stopped(&mut stop) => return Err(Interruption::Stopping),
                _closed = self.added.changed() => return Ok(()),
                () = sleep(pause) => {}
            }
            if FileStamp::of(self.path()) != self.seen || Instant::now() >= until {
                return Ok(());
            }
        }
    }

    async fn pause(&self, pause: Duration) -> Result<(), Interruption> {
        let mut stop = self.commands.stop.clone();
        tokio::select! {
            () = stopped(&mut stop) => Err(Interruption::Stopping),
            () = sleep(pause) => Ok(()),
        }
    }

    async fn pause_after_failure(&mut self) -> Result<(), Interruption> {
        let pause = self.retry_pause * (1 << self.failures.min(6));
        self.failures += 1;
        self.commands.status.set_failing(true);
        let (hill, seconds) = (self.path().display(), pause.as_secs());
        warn!(%hill, attempts = self.failures, "the queue tries again in {seconds} s");
        self.pause(pause).await
    }

    /// Ends entries whose files an earlier version of the server has lost.
    async fn end_lost_entries(&self) -> Result<(), Interruption> {
        for entry in self.with_store(EntryStore::settle).await? {
            let mut entry = self.active(&entry);
            entry.report.add(LOST);
            self.commands.write(std::slice::from_mut(&mut entry)).await?;
            self.end(&entry, EntryState::Failed).await?;
        }
        Ok(())
    }

    fn active(&self, entry: &StoredEntry) -> ActiveEntry {
        let mut report = EntryReport::new(entry.report.clone());
        report.hide(&self.commands.path);
        ActiveEntry { id: entry.id, bot: entry.bot.clone(), report }
    }

    /// The next whole run. One that could not begin is not tried again before the next time of the schedule, or the next entry.
    async fn next_run(&self) -> Result<NextRun, Interruption> {
        let read = |store: &mut EntryStore| {
            let is_ready = !store.entries_in(EntryState::Ready)?.is_empty();
            Ok((store.entry_terms()?, store.whole_runs()?, is_ready))
        };
        let (terms, runs, is_ready) = self.with_store(read).await?;
        self.publish_commitment(&terms).await?;
        Ok(next_run(&terms, runs, is_ready, now()))
    }

    /// Publishes a commitment for the run after the end of entries, while they are open.
    async fn publish_commitment(&self, terms: &EntryTerms) -> Result<(), Interruption> {
        if terms.closes.is_none() || terms.window(now()) != EntryWindow::Open {
            return Ok(());
        }
        if self.has_commitment().await? {
            return Ok(());
        }
        info!(hill = %self.path().display(), "a commitment is published for the run after the end of entries");
        let folder = std::env::temp_dir();
        let arguments = ["hill".into(), "commit".into(), self.path().as_os_str().to_owned()];
        self.commands.run_plainly(&folder, arguments.into()).await
    }

    async fn has_commitment(&self) -> Result<bool, FileError> {
        let path = self.path().to_owned();
        let read = spawn_blocking(move || HillStore::open(&path)?.unused_commitment()).await;
        let found = read.unwrap_or_else(|error| Err(FileError::new(self.path(), error)))?;
        Ok(found.is_some())
    }

    /// Processes the entries that wait, also those that come meanwhile, so that one run has them all, as long as the disks have
    /// room. Returns whether there were any.
    async fn process_waiting(&mut self) -> Result<bool, Interruption> {
        let begun = Instant::now();
        let mut did_something = false;
        while begun.elapsed() < COLLECT_TIME {
            let waiting = self.with_store(|store| store.waiting_entries()).await?;
            let Some(entry) = waiting.first() else { break };
            self.process(entry).await?;
            did_something = true;
            if self.is_short_of_disk().await? {
                break;
            }
        }
        Ok(did_something)
    }

    /// The environments of a hill are the host's, who accepts bots on it.
    fn trust_arguments(&self) -> impl Iterator<Item = OsString> {
        let hill = self.trusts_hill.then_some("--trust-hill");
        hill.into_iter().chain(["--trust-environments"]).map(OsString::from)
    }

    /// The names of the environment variables that the hill's own bots get: those of this run, or of the next one.
    async fn secrets(&self, run: Option<i64>) -> Result<Vec<String>, FileError> {
        if !self.trusts_hill {
            return Ok(Vec::new());
        }
        let bots = self.bots(run).await?;
        Ok(bots.iter().flat_map(|bot| bot.kind.own_terms().secrets).collect())
    }

    /// The bots of this run, or of the next one.
    async fn bots(&self, run: Option<i64>) -> Result<Vec<StoredEntrant>, FileError> {
        let path = self.path().to_owned();
        let read = spawn_blocking(move || {
            let store = HillStore::open(&path)?;
            match run {
                Some(run) => store.entrants_of(&store.run(run)?),
                None => store.entrants(),
            }
        });
        read.await.unwrap_or_else(|error| Err(FileError::new(self.path(), error)))
    }

    /// The options for this run, or the next one, to be played by workers: none if a remote bot plays, which only this server
    /// reaches.
    async fn worker_options(&self, run: Option<i64>) -> Result<Vec<OsString>, FileError> {
        if self.worker_options.is_empty() {
            return Ok(Vec::new());
        }
        let bots = self.bots(run).await?;
        let remote = bots.iter().find(|bot| matches!(bot.kind, BotKind::Remote { .. }));
        let Some(remote) = remote else { return Ok(self.worker_options.clone()) };
        let (hill, bot) = (self.path().display(), remote.name.as_str());
        info!(%hill, bot, "workers do not play this run, because this bot is remote");
        Ok(Vec::new())
    }

    /// Ends the qualification of an entry, or lets it wait again.
    async fn end(&self, entry: &ActiveEntry, state: EntryState) -> Result<(), FileError> {
        let id = entry.id;
        self.with_store(move |store| store.end_check(id, state)).await?;
        if state.is_final() {
            info!(hill = %self.path().display(), entry = id, %state, "the entry is finished");
        }
        self.commands.count_change();
        Ok(())
    }

    fn path(&self) -> &Path {
        &self.commands.path
    }

    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut EntryStore) -> Result<T, FileError> + Send + 'static,
    ) -> Result<T, FileError> {
        self.commands.with_store(work).await
    }
}
