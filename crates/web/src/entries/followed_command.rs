//! A `dicehill` command whose output goes to the reports of entries while it runs.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dicehill_arena::{Reason, printable};
use dicehill_store::{EntryState, EntryStore, FileError};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, interval, sleep_until};
use tracing::{error, info};

use super::command::{CapturedOutput, CommandSpec, RunningCommand};
use super::command_output::{ExitStatus, OutputLine, PROGRESS_ARGUMENTS};
use super::entry_report::EntryReport;
use super::output_lines::shown_lines;
use super::queue_status::QueueStatus;
use crate::model::forecast::Active;
use crate::remote::hill_bots::HillBots;

/// The interval at which the output of a command is stored.
const WRITE_INTERVAL: Duration = Duration::from_millis(300);

/// The interval at which it is checked that a qualification is still wanted.
const WITHDRAWAL_INTERVAL: Duration = Duration::from_secs(1);

/// Why an entry is not processed further.
pub(super) enum Interruption {
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

/// An entry that is being processed, with its report.
pub(super) struct ActiveEntry {
    pub(super) id: i64,
    /// The name of its bot.
    pub(super) bot: String,
    pub(super) report: EntryReport,
}

/// A command to run for entries.
pub(super) struct FollowedCommand<'a> {
    pub(super) folder: &'a Path,
    /// Where it caches what it makes of bots, if not in the user's cache folder.
    pub(super) bot_cache: Option<PathBuf>,
    pub(super) arguments: Vec<OsString>,
    /// The names of the environment variables that the hill's own bots get.
    pub(super) secrets: Vec<String>,
    pub(super) output: CapturedOutput,
    pub(super) timeout: Duration,
    /// What its progress is about until a run begins.
    pub(super) active: Option<Active>,
    /// The entry that it qualifies: it is stopped once that is in another state, because the host has skipped it.
    pub(super) qualifies: Option<i64>,
}

/// The result of a command.
pub(super) struct CommandResult {
    pub(super) status: ExitStatus,
    /// Whether it did nothing because another process plays on the hill.
    pub(super) is_busy: bool,
    /// Whether it did not end in the time allowed.
    pub(super) is_late: bool,
    /// Whether it was stopped because its entry is not to be qualified any more.
    pub(super) is_withdrawn: bool,
    /// The run that it has begun or resumed.
    pub(super) run: Option<i64>,
}

/// Runs commands for one hill.
pub(super) struct CommandRunner {
    /// The hill.
    pub(super) path: PathBuf,
    /// The `dicehill` command.
    pub(super) program: PathBuf,
    /// How far the entry or run is that is being processed.
    pub(super) status: QueueStatus,
    /// Counts the changes of the hill's entries.
    pub(super) changes: watch::Sender<u64>,
    /// Becomes `true` when the server stops.
    pub(super) stop: watch::Receiver<bool>,
    /// The hill's remote bots, if it may have some.
    pub(super) remote: Option<Arc<HillBots>>,
}

/// What a command has reported so far.
#[derive(Default)]
struct CommandProgress {
    /// The last text, which is the error if the command has failed.
    last_text: Option<String>,
    is_busy: bool,
    is_late: bool,
    is_withdrawn: bool,
    run: Option<i64>,
}

impl CommandProgress {
    fn result(self, code: Option<i32>) -> CommandResult {
        CommandResult {
            status: ExitStatus::of_code(code),
            is_busy: self.is_busy && self.run.is_none(),
            is_late: self.is_late,
            is_withdrawn: self.is_withdrawn,
            run: self.run,
        }
    }
}

impl CommandRunner {
    /// Runs a command, and adds its output to the reports while it runs.
    ///
    /// # Errors
    /// If the server stops, or the reports cannot be stored.
    pub(super) async fn run(
        &self,
        entries: &mut [ActiveEntry],
        command: FollowedCommand<'_>,
    ) -> Result<CommandResult, Interruption> {
        let deadline = Instant::now() + command.timeout;
        let (mut active, qualifies) = (command.active, command.qualifies);
        let mut progress = CommandProgress::default();
        let mut running = match self.start(command) {
            Ok(running) => running,
            Err(error) => {
                error!("{}: {error}", self.program.display());
                add_line(entries, "the server could not start the command for this");
                self.write(entries).await?;
                return Ok(progress.result(None));
            }
        };
        if !matches!(active, Some(Active::Entry(_))) {
            self.status.begin_run();
        }
        let mut writing = interval(WRITE_INTERVAL);
        let mut watching = interval(WITHDRAWAL_INTERVAL);
        let mut stop = self.stop.clone();
        loop {
            tokio::select! {
                biased;
                () = stopped(&mut stop) => {
                    running.stop().await;
                    self.status.clear_progress();
                    self.write(entries).await?;
                    return Err(Interruption::Stopping);
                }
                () = sleep_until(deadline) => {
                    running.stop().await;
                    self.status.clear_progress();
                    add_line(entries, "it took too long");
                    progress.is_late = true;
                    return Ok(progress.result(None));
                }
                _ = writing.tick() => self.write(entries).await?,
                _ = watching.tick() => if self.is_withdrawn(qualifies).await? {
                    running.stop().await;
                    self.status.clear_progress();
                    progress.is_withdrawn = true;
                    return Ok(progress.result(None));
                },
                line = running.next_line() => match line {
                    Some(OutputLine::Progress(figures)) => {
                        if let Some(active) = active {
                            self.status.set_progress(active, figures);
                        }
                        self.count_change();
                    }
                    Some(OutputLine::Workers(workers)) => self.status.set_workers(workers),
                    Some(OutputLine::WorkerMessage(text)) => {
                        info!(hill = %self.path.display(), "{text}");
                    }
                    Some(OutputLine::LeftOut { bot, why }) => {
                        let hill = self.path.display();
                        error!(%hill, bot, "the bot is left out of the run: {}", printable(&why));
                        add_line(entries, &format!("{bot} is left out of this run: it cannot be prepared"));
                        let own = entries.iter_mut().filter(|entry| entry.bot == bot);
                        own.for_each(|entry| {
                            shown_lines(&why).for_each(|line| entry.report.add(&line));
                        });
                    }
                    Some(line) => {
                        progress.add(entries, line);
                        active = progress.run.map(Active::Run).or(active);
                    }
                    None => break,
                },
            }
        }
        let (code, rest) = running.wait().await;
        self.status.clear_progress();
        rest.into_iter().for_each(|line| progress.add(entries, line));
        self.write(entries).await?;
        let last_text = progress.last_text.take();
        let result = progress.result(code);
        let is_logged = match result.status {
            ExitStatus::Failed => !result.is_busy,
            // A qualification ends so because of its bot, a run because of the hill.
            ExitStatus::BadInput => matches!(active, Some(Active::Run(_))),
            ExitStatus::Done | ExitStatus::Barred | ExitStatus::Interrupted => false,
        };
        if is_logged {
            let last = printable(&last_text.unwrap_or_default());
            let why = match code {
                Some(_) => last,
                None => format!("it was ended by a signal; its last message: {last}"),
            };
            error!(hill = %self.path.display(), run = result.run, "the command has failed: {why}");
        }
        Ok(result)
    }

    /// Runs a command that is about no entry. Its failure is logged.
    ///
    /// # Errors
    /// If the server stops.
    pub(super) async fn run_plainly(
        &self,
        folder: &Path,
        arguments: Vec<OsString>,
    ) -> Result<(), Interruption> {
        let spec = CommandSpec {
            program: &self.program,
            arguments,
            folder,
            bot_cache: None,
            remote_bots: None,
            secrets: Vec::new(),
            output: CapturedOutput::Stderr,
        };
        let mut running = match RunningCommand::start(spec) {
            Ok(running) => running,
            Err(error) => {
                error!("{}: {error}", self.program.display());
                return Ok(());
            }
        };
        let mut stop = self.stop.clone();
        loop {
            tokio::select! {
                biased;
                () = stopped(&mut stop) => {
                    running.stop().await;
                    return Err(Interruption::Stopping);
                }
                line = running.next_line() => if line.is_none() { break },
            }
        }
        let (code, _) = running.wait().await;
        if code != Some(0) {
            error!(hill = %self.path.display(), ?code, "the command failed");
        }
        Ok(())
    }

    fn start(&self, command: FollowedCommand<'_>) -> io::Result<RunningCommand> {
        let FollowedCommand { folder, bot_cache, mut arguments, secrets, output, .. } = command;
        arguments.extend(PROGRESS_ARGUMENTS.map(OsString::from));
        let program = &self.program;
        RunningCommand::start(CommandSpec {
            program,
            arguments,
            folder,
            bot_cache,
            remote_bots: self.remote.as_ref().and_then(|bots| bots.socket()).map(Path::to_owned),
            secrets,
            output,
        })
    }

    /// Stores the reports that have changed.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub(super) async fn write(&self, entries: &mut [ActiveEntry]) -> Result<(), FileError> {
        for entry in entries {
            if let Some(text) = entry.report.unwritten() {
                let id = entry.id;
                self.with_store(move |store| store.set_report(id, &text)).await?;
                self.count_change();
            }
        }
        Ok(())
    }

    /// Whether an entry is not to be qualified any more.
    async fn is_withdrawn(&self, qualifies: Option<i64>) -> Result<bool, FileError> {
        let Some(id) = qualifies else { return Ok(false) };
        let entry = self.with_store(move |store| store.entry(id)).await?;
        Ok(entry.is_none_or(|entry| entry.state != EntryState::Checking))
    }

    /// Tells those who watch entries that one has changed.
    pub(super) fn count_change(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Works with the store of the hill.
    ///
    /// # Errors
    /// If it cannot be opened, and those of `work`.
    pub(super) async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut EntryStore) -> Result<T, FileError> + Send + 'static,
    ) -> Result<T, FileError> {
        let path = self.path.clone();
        let done = spawn_blocking(move || work(&mut EntryStore::open(&path)?)).await;
        done.unwrap_or_else(|error| Err(FileError::new(&self.path, error)))
    }
}

impl CommandProgress {
    fn add(&mut self, entries: &mut [ActiveEntry], line: OutputLine) {
        match line {
            // Other processes are the host's business. The caller says that the entry waits.
            OutputLine::Text(_) if self.is_busy && self.run.is_none() => {}
            OutputLine::Text(text) => {
                shown_lines(&text).for_each(|line| add_line(entries, &line));
                self.last_text = Some(text);
            }
            OutputLine::RunStarted(run) => self.run = run,
            OutputLine::Busy => self.is_busy = true,
            OutputLine::Progress(_)
            | OutputLine::Workers(_)
            | OutputLine::WorkerMessage(_)
            | OutputLine::LeftOut { .. } => {}
            OutputLine::Barred { bot, reason } => {
                let others = entries.iter_mut().filter(|entry| entry.bot != bot);
                let word = if reason == Reason::Absent.name() { "skipped" } else { "barred" };
                others.for_each(|entry| entry.report.add(&format!("{bot} is {word}: {reason}")));
            }
            // Other authors do not read what a bot was asked and what it answered.
            OutputLine::Remark { bot, text } => {
                let own = entries.iter_mut().filter(|entry| entry.bot == bot);
                own.for_each(|entry| shown_lines(&text).for_each(|line| entry.report.add(&line)));
            }
        }
    }
}

/// Adds a line to all reports.
pub(super) fn add_line(entries: &mut [ActiveEntry], line: &str) {
    entries.iter_mut().for_each(|entry| entry.report.add(line));
}

/// Waits until the server stops.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _closed = stop.wait_for(|stop| *stop).await;
}
