//! The runner of a hill: qualifies the entries that wait, adds their bots to the hill, and has the hill play.
//!
//! All that it knows is in the store: after a restart, and after a kill, it continues with what it finds there.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dicehill_arena::BotName;
use dicehill_store::{
    EntryRefusal, EntryState, EntryStore, EntryTerms, EntryWindow, FileError, HillSettings,
    HillStore, StoredEntry, WholeRuns,
};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use tracing::{error, info};

use super::command::CapturedOutput;
use super::command_output::ExitStatus;
use super::entry_report::EntryReport;
use super::followed_command::{
    ActiveEntry, CommandResult, CommandRunner, FollowedCommand, Interruption, add_line, stopped,
};
use super::manifest::UploadedBot;
use super::next_run::{NextRun, RunKind, next_run};
use crate::model::forecast::Active;

/// The pause before another attempt on a hill that another process plays on.
const BUSY_PAUSE: Duration = Duration::from_secs(5);
/// The longest pause in which a change that another process made in the store goes unnoticed.
const POLL_PAUSE: Duration = Duration::from_secs(2);
/// The attempts before an entry or a run is given up.
const MAX_ATTEMPTS: i64 = 6;
/// The longest time for which entries that arrive are qualified before the run of those that came before them.
const COLLECT_TIME: Duration = Duration::from_secs(15 * 60);
/// The longest time of a qualification, including builds.
pub(crate) const CHECK_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// The longest time of any other command: a year.
const RUN_TIMEOUT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

const INTERRUPTED: &str = "the run was interrupted, by the host or by its time limit";
const STAYS: &str = "the bot is on the hill, and plays in the next run";
const TRY_AGAIN: &str = "the bot is not on the hill; please upload it again";
const LOST: &str = "the server does not have the file any more; please upload it again";
const TOO_OFTEN: &str = "the qualification was interrupted too often; please upload the bot again";
const ABANDONED: &str = "the run cannot be continued; the bot plays in the next one";
const RETRY: &str = "an error of the server; it tries again";

/// Processes the entries of a hill, one after the other, and has the hill play.
pub(super) struct EntryRunner {
    pub(super) commands: CommandRunner,
    pub(super) hill: HillSettings,
    /// Whether the hill's own bots get the network, secrets and files that the hill names.
    pub(super) trusts_hill: bool,
    /// Yields when an entry has been added.
    pub(super) added: watch::Receiver<u64>,
    /// The pause after an error that is not a bot's fault, which doubles with each further one.
    pub(super) retry_pause: Duration,
    /// Errors in a row that are not a bot's fault.
    pub(super) failures: u32,
    /// When a whole run was begun in vain, in seconds since 1970.
    pub(super) begun_in_vain: Option<i64>,
}

impl EntryRunner {
    /// Processes entries until the server stops.
    pub(super) async fn run(mut self) {
        loop {
            match self.step().await {
                Ok(()) => {}
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
        self.end_lost_entries().await?;
        if let Some(run) = self.with_store(|store| store.run_to_resume()).await? {
            return self.resume(run).await;
        }
        let did_something = self.process_waiting().await?;
        match self.next_run().await? {
            NextRun::Now(kind) => self.play(kind).await,
            NextRun::None | NextRun::At(_) if did_something => Ok(()),
            NextRun::At(at) => self.wait(Some(at)).await,
            NextRun::None => self.wait(None).await,
        }
    }

    /// Waits until an entry is added, until `at` in seconds since 1970, or for a moment, since other processes change the store
    /// too.
    async fn wait(&mut self, at: Option<i64>) -> Result<(), Interruption> {
        let left = at.map(|at| Duration::from_secs((at - now()).max(0).unsigned_abs()));
        let pause = left.map_or(POLL_PAUSE, |left| left.min(POLL_PAUSE));
        let mut stop = self.commands.stop.clone();
        tokio::select! {
            biased;
            () = stopped(&mut stop) => Err(Interruption::Stopping),
            _closed = self.added.changed() => Ok(()),
            () = sleep(pause) => Ok(()),
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
        self.failures = (self.failures + 1).min(7);
        self.pause(self.retry_pause * (1 << (self.failures - 1))).await
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
        ActiveEntry { id: entry.id, report }
    }

    /// The next whole run. One that could not begin is not tried again before the next time of the schedule, or the next entry.
    async fn next_run(&self) -> Result<NextRun, Interruption> {
        let read = |store: &mut EntryStore| {
            let is_ready = !store.entries_in(EntryState::Ready)?.is_empty();
            Ok((store.entry_terms()?, store.whole_runs()?, is_ready))
        };
        let (terms, runs, is_ready) = self.with_store(read).await?;
        self.publish_commitment(&terms).await?;
        let last_begun = runs.last_begun.max(self.begun_in_vain);
        Ok(next_run(&terms, WholeRuns { last_begun, ..runs }, is_ready, now()))
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

    /// Processes the entries that wait, also those that come meanwhile, so that one run has them all. Returns whether there were
    /// any.
    async fn process_waiting(&mut self) -> Result<bool, Interruption> {
        let begun = Instant::now();
        let mut did_something = false;
        while begun.elapsed() < COLLECT_TIME {
            let waiting = self.with_store(|store| store.waiting_entries()).await?;
            let Some(entry) = waiting.first() else { break };
            self.process(entry).await?;
            did_something = true;
        }
        Ok(did_something)
    }

    /// Qualifies the bot of an entry, and adds it to the hill.
    async fn process(&mut self, entry: &StoredEntry) -> Result<(), Interruption> {
        let id = entry.id;
        let begun = self.with_store(move |store| store.begin_check(id)).await?;
        // The host has held or skipped it.
        let Some(attempt) = begun else { return Ok(()) };
        self.commands.count_change();
        let mut active = self.active(entry);
        if attempt > MAX_ATTEMPTS {
            active.report.add(TOO_OFTEN);
            self.commands.write(std::slice::from_mut(&mut active)).await?;
            return Ok(self.end(&active, EntryState::Failed).await?);
        }
        match self.unpack(entry).await? {
            Ok(bot) => {
                active.report.hide(bot.folder());
                let done = self.qualify(&mut active, &bot).await;
                let _removed = spawn_blocking(move || drop(bot)).await;
                if matches!(done, Err(Interruption::Stopping)) {
                    self.end(&active, EntryState::Waiting).await?;
                }
                done
            }
            Err(why) => {
                active.report.add(&why);
                self.commands.write(std::slice::from_mut(&mut active)).await?;
                Ok(self.end(&active, EntryState::Refused).await?)
            }
        }
    }

    /// The bot of an entry, unpacked; or why the upload is refused, which it was not when it arrived.
    async fn unpack(&self, entry: &StoredEntry) -> Result<Result<UploadedBot, String>, FileError> {
        let (id, path) = (entry.id, self.path().to_owned());
        let name = entry.bot.clone();
        let unpacked = spawn_blocking(move || {
            let upload = EntryStore::open_to_read(&path)?.upload(id)?;
            let Some(upload) = upload else { return Ok(Err(LOST.to_owned())) };
            let bot = UploadedBot::stored(upload);
            match bot {
                Ok(bot) if bot.name().as_str() == name => Ok(Ok(bot)),
                Ok(_) => Ok(Err("the bot has another name than its entry".to_owned())),
                Err(error) if error.is_of_the_machine() => Err(FileError::new(&path, error)),
                Err(error) => Ok(Err(error.to_string())),
            }
        });
        unpacked.await.unwrap_or_else(|error| Err(FileError::new(self.path(), error)))
    }

    async fn qualify(
        &mut self,
        active: &mut ActiveEntry,
        bot: &UploadedBot,
    ) -> Result<(), Interruption> {
        info!(hill = %self.path().display(), entry = active.id, bot = %bot.name(), "the bot is qualified");
        let arguments =
            ["check", self.hill.game().name(), &bot.argument(), "--require-isolation", "--hill"];
        let mut arguments: Vec<OsString> = arguments.map(OsString::from).into();
        arguments.push(self.path().into());
        let command = FollowedCommand {
            folder: bot.folder(),
            bot_cache: Some(bot.cache()),
            arguments,
            secrets: Vec::new(),
            output: CapturedOutput::StdoutAndStderr,
            timeout: CHECK_TIMEOUT,
            active: Some(Active::Entry(active.id)),
        };
        let begun = Instant::now();
        let result = self.commands.run(std::slice::from_mut(active), command).await?;
        let state = match result.status {
            ExitStatus::Done => {
                self.remember_time(active.id, begun).await?;
                return self.add(active, bot).await;
            }
            // It does not qualify, or cannot be started.
            ExitStatus::Barred => {
                self.remember_time(active.id, begun).await?;
                EntryState::Refused
            }
            ExitStatus::BadInput => EntryState::Refused,
            ExitStatus::Failed if result.is_late => EntryState::Failed,
            ExitStatus::Interrupted | ExitStatus::Failed => {
                return self.try_again(active).await;
            }
        };
        Ok(self.end(active, state).await?)
    }

    async fn remember_time(&self, id: i64, begun: Instant) -> Result<(), FileError> {
        let took = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        self.with_store(move |store| store.set_check_time(id, took)).await
    }

    /// Lets the entry wait for another attempt after an error that is not its bot's fault.
    async fn try_again(&mut self, active: &mut ActiveEntry) -> Result<(), Interruption> {
        active.report.add(RETRY);
        self.commands.write(std::slice::from_mut(active)).await?;
        let id = active.id;
        self.with_store(move |store| store.set_state(id, EntryState::Waiting)).await?;
        self.commands.count_change();
        self.pause_after_failure().await
    }

    /// Adds a qualified bot as soon as no other process plays on the hill: places it, or adds it for the next run.
    async fn add(
        &mut self,
        active: &mut ActiveEntry,
        bot: &UploadedBot,
    ) -> Result<(), Interruption> {
        let (id, mut is_reported) = (active.id, false);
        loop {
            // The host may have held or skipped it.
            if !self.with_store(move |store| store.resume_check(id)).await? {
                return Ok(());
            }
            if let Some(refusal) = self.name_refusal(id, bot).await? {
                active.report.add(&refusal.to_string());
                self.commands.write(std::slice::from_mut(active)).await?;
                return Ok(self.end(active, EntryState::Refused).await?);
            }
            let result = self.try_to_add(active, bot).await?;
            if result.is_busy {
                self.wait_while_busy(active, &mut is_reported).await?;
                continue;
            }
            return self.after_adding(active, &result).await;
        }
    }

    /// What follows the command that adds a bot. If it has done so, the store has the entry in another state.
    async fn after_adding(
        &mut self,
        active: &mut ActiveEntry,
        result: &CommandResult,
    ) -> Result<(), Interruption> {
        let id = active.id;
        let entry = self.with_store(move |store| store.entry(id)).await?;
        self.commands.count_change();
        let state = entry.map_or(EntryState::Failed, |entry| entry.state);
        let is_playing = state == EntryState::Playing;
        match (state, result.status) {
            (EntryState::Checking, ExitStatus::Barred) => {
                Ok(self.end(active, EntryState::Refused).await?)
            }
            (EntryState::Checking, ExitStatus::Failed) => self.try_again(active).await,
            (EntryState::Checking, ExitStatus::Interrupted) => {
                self.report_interruption(std::slice::from_mut(active), false).await?;
                Ok(self.end(active, EntryState::Failed).await?)
            }
            (EntryState::Checking, ExitStatus::Done | ExitStatus::BadInput) => {
                Ok(self.end(active, EntryState::Failed).await?)
            }
            (_, ExitStatus::Interrupted) if is_playing => {
                self.give_up(std::slice::from_mut(active), result.run).await
            }
            (_, ExitStatus::Failed | ExitStatus::BadInput) if is_playing => {
                self.pause_after_failure().await
            }
            (_, _) => {
                self.failures = 0;
                info!(hill = %self.path().display(), entry = id, %state, "the bot is on the hill");
                Ok(())
            }
        }
    }

    async fn try_to_add(
        &mut self,
        active: &mut ActiveEntry,
        bot: &UploadedBot,
    ) -> Result<CommandResult, Interruption> {
        let mut arguments: Vec<OsString> = vec!["hill".into(), "add".into()];
        arguments.push(self.path().into());
        arguments.extend([bot.argument().into(), "--require-isolation".into()]);
        arguments.extend(["--next-run".into(), "--entry".into(), active.id.to_string().into()]);
        arguments.extend(self.trust_argument());
        let command = FollowedCommand {
            folder: bot.folder(),
            bot_cache: Some(bot.cache()),
            arguments,
            secrets: self.secrets(None).await?,
            output: CapturedOutput::Stderr,
            timeout: RUN_TIMEOUT,
            active: Some(Active::Entry(active.id)),
        };
        self.commands.run(std::slice::from_mut(active), command).await
    }

    /// Plays a whole run, of which the entries that are ready become a part.
    async fn play(&mut self, kind: RunKind) -> Result<(), Interruption> {
        let ready = self.with_store(|store| store.entries_in(EntryState::Ready)).await?;
        let mut entries: Vec<_> = ready.iter().map(|entry| self.active(entry)).collect();
        let mut arguments: Vec<OsString> = vec!["hill".into(), "run".into()];
        arguments.push(self.path().into());
        arguments.extend(["--queued".into(), "--require-isolation".into()]);
        arguments.extend(self.trust_argument());
        if kind == RunKind::Committed && self.has_commitment().await? {
            arguments.push("--committed".into());
        }
        let begun = now();
        let result = self.run_of_hill(&mut entries, arguments, None).await?;
        if result.is_busy {
            return self.pause(BUSY_PAUSE).await;
        }
        if result.run.is_none() {
            self.begun_in_vain = Some(begun);
            self.with_store(EntryStore::end_ready).await?;
            self.commands.count_change();
        }
        self.after_run(&mut entries, &result).await
    }

    /// Resumes a run that the queue had begun.
    async fn resume(&mut self, run: i64) -> Result<(), Interruption> {
        let playing = self.with_store(|store| store.entries_in(EntryState::Playing)).await?;
        let playing = playing.iter().filter(|entry| entry.run == Some(run));
        let mut entries: Vec<_> = playing.map(|entry| self.active(entry)).collect();
        add_line(&mut entries, "the run continues after an interruption");
        info!(hill = %self.path().display(), run, "the run is resumed");
        let mut which = self.path().as_os_str().to_owned();
        which.push(format!("#{run}"));
        let mut arguments = vec!["resume".into(), which, "--require-isolation".into()];
        arguments.extend(self.trust_argument());
        loop {
            let result = self.run_of_hill(&mut entries, arguments.clone(), Some(run)).await?;
            // Another process may end the run.
            if !result.is_busy || self.with_store(move |store| store.has_run_ended(run)).await? {
                let result = CommandResult { run: Some(run), ..result };
                return self.after_run(&mut entries, &result).await;
            }
            self.pause(BUSY_PAUSE).await?;
        }
    }

    async fn run_of_hill(
        &self,
        entries: &mut [ActiveEntry],
        arguments: Vec<OsString>,
        run: Option<i64>,
    ) -> Result<CommandResult, Interruption> {
        let folder = std::env::temp_dir();
        let command = FollowedCommand {
            folder: &folder,
            bot_cache: None,
            arguments,
            secrets: self.secrets(run).await?,
            output: CapturedOutput::Stderr,
            timeout: RUN_TIMEOUT,
            active: run.map(Active::Run),
        };
        self.commands.run(entries, command).await
    }

    /// What follows a run. If it has ended, the store has its entries in their final state.
    async fn after_run(
        &mut self,
        entries: &mut [ActiveEntry],
        result: &CommandResult,
    ) -> Result<(), Interruption> {
        self.commands.count_change();
        match result.status {
            ExitStatus::Done | ExitStatus::Barred => {
                self.failures = 0;
                info!(hill = %self.path().display(), run = result.run, "the run has ended");
                Ok(())
            }
            ExitStatus::Interrupted => self.give_up(entries, result.run).await,
            // For example, another version of the program began the run.
            ExitStatus::BadInput => self.abandon(entries, result.run).await,
            ExitStatus::Failed if i64::from(self.failures) >= MAX_ATTEMPTS => {
                self.give_up(entries, result.run).await
            }
            ExitStatus::Failed if result.run.is_some() => self.pause_after_failure().await,
            ExitStatus::Failed => Ok(()),
        }
    }

    /// Leaves a run as it is, so that its bots play in the next one.
    async fn abandon(
        &self,
        entries: &mut [ActiveEntry],
        run: Option<i64>,
    ) -> Result<(), Interruption> {
        let Some(run) = run else { return Ok(()) };
        error!(hill = %self.path().display(), run, "the run cannot be continued");
        add_line(entries, ABANDONED);
        self.commands.write(entries).await?;
        self.with_store(move |store| store.give_up_run(run, EntryState::Ready)).await?;
        self.commands.count_change();
        Ok(())
    }

    /// Ends the entries of a run that was interrupted and is not resumed.
    async fn give_up(
        &mut self,
        entries: &mut [ActiveEntry],
        run: Option<i64>,
    ) -> Result<(), Interruption> {
        self.failures = 0;
        self.report_interruption(entries, true).await?;
        if let Some(run) = run {
            self.with_store(move |store| store.give_up_run(run, EntryState::Failed)).await?;
        }
        self.commands.count_change();
        Ok(())
    }

    /// Adds to the reports what becomes of the bots after an interrupted tournament.
    async fn report_interruption(
        &self,
        entries: &mut [ActiveEntry],
        was_added: bool,
    ) -> Result<(), FileError> {
        add_line(entries, INTERRUPTED);
        for entry in &mut *entries {
            let id = entry.id;
            let is_barred = move |store: &mut EntryStore| match store.entry(id)? {
                Some(entry) => store.is_barred(&entry.bot),
                None => Ok(false),
            };
            let is_barred = self.with_store(is_barred).await?;
            match (is_barred, was_added) {
                (true, _) => entry.report.add(&EntryRefusal::Barred.to_string()),
                (false, true) => entry.report.add(STAYS),
                (false, false) => entry.report.add(TRY_AGAIN),
            }
        }
        self.commands.write(entries).await
    }

    /// Why the bot may not have its name on the hill.
    async fn name_refusal(
        &self,
        id: i64,
        bot: &UploadedBot,
    ) -> Result<Option<EntryRefusal>, FileError> {
        let name = bot.name().clone();
        let refusal = move |store: &mut EntryStore| {
            let token = store.entry(id)?.map_or(0, |entry| entry.token);
            name_refusal(store, &name, token)
        };
        self.with_store(refusal).await
    }

    fn trust_argument(&self) -> Option<OsString> {
        self.trusts_hill.then(|| "--trust-hill".into())
    }

    /// The names of the environment variables that the hill's own bots get: those of this run, or of the next one.
    async fn secrets(&self, run: Option<i64>) -> Result<Vec<String>, FileError> {
        if !self.trusts_hill {
            return Ok(Vec::new());
        }
        let path = self.path().to_owned();
        let read = spawn_blocking(move || {
            let store = HillStore::open(&path)?;
            let bots = match run {
                Some(run) => store.entrants_of(&store.run(run)?)?,
                None => store.entrants()?,
            };
            Ok(bots.iter().flat_map(|bot| bot.kind.own_terms().secrets).collect())
        });
        read.await.unwrap_or_else(|error| Err(FileError::new(self.path(), error)))
    }

    /// Waits, because another process plays on the hill. The host may hold or skip the entry meanwhile.
    async fn wait_while_busy(
        &self,
        active: &mut ActiveEntry,
        is_reported: &mut bool,
    ) -> Result<(), Interruption> {
        self.end(active, EntryState::Waiting).await?;
        if !std::mem::replace(is_reported, true) {
            active
                .report
                .add("another run is in progress on this hill; this entry waits until it ends");
            self.commands.write(std::slice::from_mut(active)).await?;
        }
        self.pause(BUSY_PAUSE).await
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

/// Why the holder of a token may not upload a bot of this name.
fn name_refusal(
    store: &EntryStore,
    name: &BotName,
    token: i64,
) -> Result<Option<EntryRefusal>, FileError> {
    if store.is_barred(name.as_str())? {
        return Ok(Some(EntryRefusal::Barred));
    }
    Ok((!store.is_name_available(name, token)?).then_some(EntryRefusal::NameTaken))
}

/// Seconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().cast_signed())
}
