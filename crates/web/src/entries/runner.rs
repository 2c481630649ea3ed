//! Processes the entries of a hill: qualifies each bot, and adds it to the hill, which plays with it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dicehill_arena::BotName;
use dicehill_store::{EntryState, EntryStore, FileError, HillSettings, HillStore, StoredEntry};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, interval, sleep, sleep_until};
use tracing::{error, info};

use super::command::{CapturedOutput, CommandSpec, RunningCommand};
use super::command_output::{ExitStatus, OutputLine, PROGRESS_ARGUMENTS};
use super::entry_report::EntryReport;
use super::manifest::UploadedBot;
use super::output_lines::shown_lines;
use super::queue_status::QueueStatus;

/// The pause before another attempt on a hill that another process plays on.
const BUSY_PAUSE: Duration = Duration::from_secs(5);
/// The interval at which the output of a command is stored.
const WRITE_INTERVAL: Duration = Duration::from_millis(300);
/// The longest time of a qualification, including builds.
pub(crate) const CHECK_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// The longest time of any other command: a year.
const RUN_TIMEOUT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The message if another author has a bot of this name.
pub(super) const NAME_TAKEN: &str =
    "another author's bot on the hill has this name, or one that looks like it";
/// The message if the host has barred the bot of this name.
const BARRED_BY_HOST: &str = "the host has barred the bot of this name";
const INTERRUPTED: &str = "the run was interrupted, by the host or by its time limit";
const STAYS: &str = "the bot is on the hill, and plays in the next run";
const TRY_AGAIN: &str = "the bot is not on the hill; please upload it again";
const RESTARTED: &str = "the server was restarted; please upload it again";

/// Processes the entries of a hill, one after the other.
pub(super) struct EntryRunner {
    pub(super) path: PathBuf,
    pub(super) hill: HillSettings,
    /// The `dicehill` command.
    pub(super) program: PathBuf,
    /// Whether the hill's own bots get the network, secrets and files that the hill names.
    pub(super) trusts_hill: bool,
    /// How far the entry is that is being processed.
    pub(super) status: QueueStatus,
    /// Counts the changes of the hill's entries.
    pub(super) changes: watch::Sender<u64>,
    /// Becomes `true` when the server stops.
    pub(super) stop: watch::Receiver<bool>,
}

/// Why an entry is not processed further.
enum Interruption {
    /// The server stops.
    Stopping,
    /// The hill's file cannot be written.
    File(FileError),
}

impl From<FileError> for Interruption {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

/// The entry that is being processed.
struct ActiveEntry {
    id: i64,
    report: EntryReport,
}

/// A command to run for an entry.
struct EntryCommand<'a> {
    folder: &'a Path,
    /// Where it caches what it makes of bots, if not in the user's cache folder.
    bot_cache: Option<PathBuf>,
    arguments: Vec<OsString>,
    /// The names of the environment variables that the hill's own bots get.
    secrets: Vec<String>,
    output: CapturedOutput,
    timeout: Duration,
    /// The bot whose first run is to be found, and the run after which it comes.
    expected_run: Option<(String, i64)>,
}

/// The result of a command.
struct CommandResult {
    status: ExitStatus,
    /// Whether it did nothing because another process plays on the hill.
    is_busy: bool,
    /// The expected run, if it has begun.
    run: Option<i64>,
}

/// What a command has reported so far.
#[derive(Default)]
struct CommandProgress {
    is_busy: bool,
    expected_run: Option<(String, i64)>,
    /// Whether a run has begun. The store has it only once its first games are stored.
    is_run_started: bool,
    run: Option<i64>,
}

impl CommandProgress {
    fn add_line(&mut self, entry: &mut ActiveEntry, line: OutputLine) {
        match line {
            OutputLine::Text(text) => shown_lines(&text).for_each(|line| entry.report.add(&line)),
            OutputLine::RunStarted => self.is_run_started = true,
            OutputLine::Busy => self.is_busy = true,
            OutputLine::Progress(_) => {}
        }
    }

    fn result(self, code: Option<i32>) -> CommandResult {
        let status = ExitStatus::of_code(code);
        let is_busy = self.is_busy && !self.is_run_started;
        CommandResult { status, is_busy, run: self.run }
    }
}

impl EntryRunner {
    /// Finishes the open entries, and then processes those in the queue until the server stops.
    pub(super) async fn run(
        mut self,
        open_entries: Vec<StoredEntry>,
        mut queue: mpsc::Receiver<(i64, UploadedBot)>,
    ) {
        for entry in open_entries {
            let id = entry.id;
            let finished = self.finish_open(entry).await;
            if is_stopping(id, finished) {
                return;
            }
        }
        loop {
            let (id, bot) = tokio::select! {
                biased;
                () = stopped(&mut self.stop) => return,
                next = queue.recv() => match next {
                    Some(next) => next,
                    None => return,
                },
            };
            let processed = self.process(id, &bot).await;
            let _removed = spawn_blocking(move || drop(bot)).await;
            if is_stopping(id, processed) {
                return;
            }
        }
    }

    /// Finishes an entry that an earlier server had begun. Its upload is lost, but once the hill plays with the bot, its
    /// files are on the hill.
    async fn finish_open(&mut self, entry: StoredEntry) -> Result<(), Interruption> {
        let StoredEntry { id, state, report, run, .. } = entry;
        let mut entry = ActiveEntry { id, report: EntryReport::new(report) };
        entry.report.hide(&self.path);
        match run.filter(|_| state == EntryState::Playing) {
            Some(run) => self.resume(&mut entry, run).await,
            None => {
                entry.report.add(RESTARTED);
                self.finish(&mut entry, EntryState::Failed).await
            }
        }
    }

    async fn resume(&mut self, entry: &mut ActiveEntry, run: i64) -> Result<(), Interruption> {
        entry.report.add("the server was restarted; the run continues");
        info!(hill = %self.path.display(), entry = entry.id, run, "the run is resumed");
        let mut which = self.path.clone().into_os_string();
        which.push(format!("#{run}"));
        loop {
            if self.with_store(move |store| store.has_run_ended(run)).await? {
                return self.finish(entry, EntryState::Done).await;
            }
            let mut arguments = vec!["resume".into(), which.clone(), "--require-isolation".into()];
            arguments.extend(self.trust_argument());
            let folder = std::env::temp_dir();
            let command = EntryCommand {
                folder: &folder,
                bot_cache: None,
                arguments,
                secrets: self.secrets(Some(run)).await?,
                output: CapturedOutput::Stderr,
                timeout: RUN_TIMEOUT,
                expected_run: None,
            };
            let result = self.run_command(entry, command).await?;
            if result.is_busy {
                self.pause().await?;
                continue;
            }
            let state = match result.status {
                ExitStatus::Done | ExitStatus::Barred => EntryState::Done,
                ExitStatus::BadInput | ExitStatus::Interrupted | ExitStatus::Failed => {
                    EntryState::Failed
                }
            };
            if result.status == ExitStatus::Interrupted {
                self.report_interruption(entry, true).await?;
            }
            return self.finish(entry, state).await;
        }
    }

    /// Adds to the report what becomes of the bot after an interrupted tournament.
    async fn report_interruption(
        &self,
        entry: &mut ActiveEntry,
        was_added: bool,
    ) -> Result<(), FileError> {
        entry.report.add(INTERRUPTED);
        let id = entry.id;
        let is_barred = move |store: &mut EntryStore| match store.entry(id)? {
            Some(entry) => store.is_barred(&entry.bot),
            None => Ok(false),
        };
        entry.report.add(match (self.with_store(is_barred).await?, was_added) {
            (true, _) => BARRED_BY_HOST,
            (false, true) => STAYS,
            (false, false) => TRY_AGAIN,
        });
        Ok(())
    }

    /// Qualifies a bot, and adds it to the hill, which plays with it.
    async fn process(&mut self, id: i64, bot: &UploadedBot) -> Result<(), Interruption> {
        let mut entry = ActiveEntry { id, report: EntryReport::new(String::new()) };
        entry.report.hide(&self.path);
        entry.report.hide(bot.folder());
        info!(hill = %self.path.display(), entry = id, bot = %bot.name(), "the bot is qualified");
        self.with_store(move |store| store.set_state(id, EntryState::Checking)).await?;
        self.count_change();
        let arguments =
            ["check", self.hill.game().name(), &bot.argument(), "--require-isolation", "--hill"];
        let mut arguments: Vec<OsString> = arguments.map(OsString::from).into();
        arguments.push(self.path.clone().into());
        let command = EntryCommand {
            folder: bot.folder(),
            bot_cache: Some(bot.cache()),
            arguments,
            secrets: Vec::new(),
            output: CapturedOutput::StdoutAndStderr,
            timeout: CHECK_TIMEOUT,
            expected_run: None,
        };
        let begun = Instant::now();
        let result = self.run_command(&mut entry, command).await?;
        match result.status {
            ExitStatus::Done | ExitStatus::Barred => self.status.set_qualification(begun.elapsed()),
            ExitStatus::BadInput | ExitStatus::Interrupted | ExitStatus::Failed => {}
        }
        match result.status {
            ExitStatus::Done => self.add(&mut entry, bot).await,
            // It does not qualify, or cannot be started.
            ExitStatus::BadInput | ExitStatus::Barred => {
                self.finish(&mut entry, EntryState::Refused).await
            }
            ExitStatus::Interrupted | ExitStatus::Failed => {
                self.finish(&mut entry, EntryState::Failed).await
            }
        }
    }

    /// Adds a qualified bot as soon as no other process plays on the hill.
    async fn add(
        &mut self,
        entry: &mut ActiveEntry,
        bot: &UploadedBot,
    ) -> Result<(), Interruption> {
        let mut is_reported = false;
        loop {
            if let Some(refusal) = self.name_refusal(entry.id, bot).await? {
                entry.report.add(refusal);
                return self.finish(entry, EntryState::Refused).await;
            }
            let result = self.try_to_add(entry, bot).await?;
            if result.is_busy {
                self.wait_while_busy(entry, &mut is_reported).await?;
                continue;
            }
            let state = match (result.status, result.run) {
                (ExitStatus::Done, _) | (ExitStatus::Barred, Some(_)) => EntryState::Done,
                (ExitStatus::Barred, None) => EntryState::Refused,
                (ExitStatus::BadInput | ExitStatus::Interrupted | ExitStatus::Failed, _) => {
                    EntryState::Failed
                }
            };
            if result.status == ExitStatus::Interrupted {
                self.report_interruption(entry, result.run.is_some()).await?;
            }
            return self.finish(entry, state).await;
        }
    }

    /// Why the bot may not have its name on the hill.
    async fn name_refusal(
        &self,
        id: i64,
        bot: &UploadedBot,
    ) -> Result<Option<&'static str>, FileError> {
        let name = bot.name().clone();
        let refusal = move |store: &mut EntryStore| {
            let token = store.entry(id)?.map_or(0, |entry| entry.token);
            name_refusal(store, &name, token)
        };
        self.with_store(refusal).await
    }

    async fn try_to_add(
        &mut self,
        entry: &mut ActiveEntry,
        bot: &UploadedBot,
    ) -> Result<CommandResult, Interruption> {
        let last = self.with_store(|store| store.last_run()).await?;
        let mut arguments: Vec<OsString> = vec!["hill".into(), "add".into()];
        arguments.push(self.path.clone().into());
        arguments.extend([bot.argument().into(), "--require-isolation".into()]);
        arguments.extend(self.trust_argument());
        let command = EntryCommand {
            folder: bot.folder(),
            bot_cache: Some(bot.cache()),
            arguments,
            secrets: self.secrets(None).await?,
            output: CapturedOutput::Stderr,
            timeout: RUN_TIMEOUT,
            expected_run: Some((bot.name().to_string(), last)),
        };
        self.run_command(entry, command).await
    }

    fn trust_argument(&self) -> Option<OsString> {
        self.trusts_hill.then(|| "--trust-hill".into())
    }

    /// The names of the environment variables that the hill's own bots get: those of this run, or of the next one.
    async fn secrets(&self, run: Option<i64>) -> Result<Vec<String>, FileError> {
        if !self.trusts_hill {
            return Ok(Vec::new());
        }
        let path = self.path.clone();
        let read = spawn_blocking(move || {
            let store = HillStore::open(&path)?;
            let bots = match run {
                Some(run) => store.entrants_of(&store.run(run)?)?,
                None => store.entrants()?,
            };
            Ok(bots.iter().flat_map(|bot| bot.kind.own_terms().secrets).collect())
        });
        read.await.unwrap_or_else(|error| Err(FileError::new(&self.path, error)))
    }

    /// Waits, because another process plays on the hill.
    async fn wait_while_busy(
        &mut self,
        entry: &mut ActiveEntry,
        is_reported: &mut bool,
    ) -> Result<(), Interruption> {
        if !std::mem::replace(is_reported, true) {
            entry
                .report
                .add("another run is in progress on this hill; this entry waits until it ends");
            let id = entry.id;
            self.with_store(move |store| store.set_state(id, EntryState::Waiting)).await?;
            self.write_report(entry).await?;
        }
        self.pause().await
    }

    async fn pause(&mut self) -> Result<(), Interruption> {
        tokio::select! {
            () = stopped(&mut self.stop) => Err(Interruption::Stopping),
            () = sleep(BUSY_PAUSE) => Ok(()),
        }
    }

    /// Runs a command, and adds its output to the report while it runs.
    async fn run_command(
        &mut self,
        entry: &mut ActiveEntry,
        command: EntryCommand<'_>,
    ) -> Result<CommandResult, Interruption> {
        let deadline = Instant::now() + command.timeout;
        let expected_run = command.expected_run.clone();
        let mut progress = CommandProgress { expected_run, ..CommandProgress::default() };
        let mut running = match self.start(command) {
            Ok(running) => running,
            Err(error) => {
                error!("{}: {error}", self.program.display());
                entry.report.add("the server could not start the command for this");
                return Ok(progress.result(None));
            }
        };
        let mut writing = interval(WRITE_INTERVAL);
        let mut stop = self.stop.clone();
        loop {
            tokio::select! {
                biased;
                () = stopped(&mut stop) => {
                    running.stop().await;
                    self.write(entry, &mut progress).await?;
                    return Err(Interruption::Stopping);
                }
                () = sleep_until(deadline) => {
                    running.stop().await;
                    entry.report.add("it took too long");
                    return Ok(progress.result(None));
                }
                _ = writing.tick() => self.write(entry, &mut progress).await?,
                line = running.next_line() => match line {
                    Some(OutputLine::Progress(figures)) => {
                        self.status.set_progress(entry.id, figures);
                        self.count_change();
                    }
                    Some(line) => progress.add_line(entry, line),
                    None => break,
                },
            }
        }
        let (code, rest) = running.wait().await;
        self.status.clear_progress();
        rest.into_iter().for_each(|line| progress.add_line(entry, line));
        self.write(entry, &mut progress).await?;
        Ok(progress.result(code))
    }

    fn start(&self, command: EntryCommand<'_>) -> io::Result<RunningCommand> {
        let EntryCommand { folder, bot_cache, mut arguments, secrets, output, .. } = command;
        arguments.extend(PROGRESS_ARGUMENTS.map(OsString::from));
        let program = &self.program;
        RunningCommand::start(CommandSpec {
            program,
            arguments,
            folder,
            bot_cache,
            secrets,
            output,
        })
    }

    /// Stores the report, and the expected run once it has begun.
    async fn write(
        &self,
        entry: &mut ActiveEntry,
        progress: &mut CommandProgress,
    ) -> Result<(), FileError> {
        self.write_report(entry).await?;
        let is_pending = progress.is_run_started && progress.run.is_none();
        let expected = progress.expected_run.clone().filter(|_| is_pending);
        let Some((name, before)) = expected else { return Ok(()) };
        let id = entry.id;
        progress.run = self.with_store(move |store| store.mark_playing(id, &name, before)).await?;
        if progress.run.is_some() {
            self.count_change();
        }
        Ok(())
    }

    async fn finish(&self, entry: &mut ActiveEntry, state: EntryState) -> Result<(), Interruption> {
        self.write_report(entry).await?;
        let id = entry.id;
        self.with_store(move |store| store.set_state(id, state)).await?;
        info!(hill = %self.path.display(), entry = id, %state, "the entry is finished");
        self.count_change();
        Ok(())
    }

    /// Stores the report if it has changed.
    async fn write_report(&self, entry: &mut ActiveEntry) -> Result<(), FileError> {
        if let Some(text) = entry.report.unwritten() {
            let id = entry.id;
            self.with_store(move |store| store.set_report(id, &text)).await?;
            self.count_change();
        }
        Ok(())
    }

    fn count_change(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut EntryStore) -> Result<T, FileError> + Send + 'static,
    ) -> Result<T, FileError> {
        let path = self.path.clone();
        let done = spawn_blocking(move || work(&mut EntryStore::open(&path)?)).await;
        done.unwrap_or_else(|error| Err(FileError::new(&self.path, error)))
    }
}

/// Why the holder of a token may not upload a bot of this name.
pub(super) fn name_refusal(
    store: &EntryStore,
    name: &BotName,
    token: i64,
) -> Result<Option<&'static str>, FileError> {
    if store.is_barred(name.as_str())? {
        return Ok(Some(BARRED_BY_HOST));
    }
    Ok((!store.is_name_available(name, token)?).then_some(NAME_TAKEN))
}

/// Waits until the server stops.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _closed = stop.wait_for(|stop| *stop).await;
}

/// Whether the server stops. An error of the hill's file is logged for the host.
fn is_stopping(id: i64, processed: Result<(), Interruption>) -> bool {
    match processed {
        Ok(()) => false,
        Err(Interruption::Stopping) => true,
        Err(Interruption::File(error)) => {
            error!(entry = id, "{error}");
            false
        }
    }
}
