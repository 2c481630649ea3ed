//! Runs of the hill, and what becomes of their entries.

use std::ffi::OsString;

use dicehill_store::{EntryRefusal, EntryState, EntryStore, FileError, HillStore};
use tokio::task::spawn_blocking;
use tracing::{error, info};

use super::{BUSY_PAUSE, EntryRunner, MAX_ATTEMPTS, RUN_TIMEOUT};
use crate::entries::command::CapturedOutput;
use crate::entries::command_output::ExitStatus;
use crate::entries::followed_command::{
    ActiveEntry, CommandResult, FollowedCommand, Interruption, add_line,
};
use crate::entries::next_run::RunKind;
use crate::model::forecast::Active;
use crate::model::time::now;

pub(super) const INTERRUPTED: &str = "the run was interrupted, by the host or by its time limit";
const GIVEN_UP: &str = "the run is given up after repeated errors of the server";
const OTHER_RUN: &str = "another run is in progress on this hill; this entry waits until it ends";
const BEGINS_AGAIN: &str = "the host has barred a bot of this run; the run begins again without it";
const STAYS: &str = "the bot is on the hill, and plays in the next run";
const LEFT_OUT: &str =
    "the bot is on the hill, and plays in the next run for which it can be prepared";
const ABANDONED: &str = "the run cannot be continued; the bot plays in the next one";

impl EntryRunner {
    /// Plays a whole run, of which the entries that are ready become a part.
    pub(super) async fn play(&mut self, kind: RunKind) -> Result<(), Interruption> {
        let ready = self.with_store(|store| store.entries_in(EntryState::Ready)).await?;
        let mut entries: Vec<_> = ready.iter().map(|entry| self.active(entry)).collect();
        let mut arguments: Vec<OsString> = vec!["hill".into(), "run".into()];
        arguments.push(self.path().into());
        arguments.extend(["--queued".into(), "--public".into(), "--require-isolation".into()]);
        arguments.extend(self.trust_arguments());
        arguments.extend(self.worker_options(None).await?);
        if kind == RunKind::Committed && self.has_commitment().await? {
            arguments.push("--committed".into());
        }
        let begun = now();
        let result = self.run_of_hill(&mut entries, arguments, None).await?;
        if result.is_busy {
            return self.wait_for_other_run(&mut entries).await;
        }
        if result.run.is_none() {
            if self.is_stopped_by_bar(&result, begun).await? {
                add_line(&mut entries, BEGINS_AGAIN);
                return Ok(self.commands.write(&mut entries).await?);
            }
            // Such as a kill before the run was stored.
            if result.status == ExitStatus::Failed && i64::from(self.failures) < MAX_ATTEMPTS {
                return self.pause_after_failure().await;
            }
            self.with_store(move |store| store.end_ready_in_vain(begun)).await?;
            self.commands.count_change();
        }
        self.after_run(&mut entries, &result).await?;
        let is_over = matches!(result.status, ExitStatus::Done | ExitStatus::Barred);
        if is_over && result.run.is_some() {
            self.end_left_out().await?;
        }
        Ok(())
    }

    /// Ends the entries whose bots were left out of a run that has ended.
    async fn end_left_out(&self) -> Result<(), Interruption> {
        let ready = self.with_store(|store| store.entries_in(EntryState::Ready)).await?;
        let mut entries: Vec<_> = ready.iter().map(|entry| self.active(entry)).collect();
        if !entries.is_empty() {
            add_line(&mut entries, LEFT_OUT);
            self.commands.write(&mut entries).await?;
            self.with_store(EntryStore::end_ready).await?;
            self.commands.count_change();
        }
        Ok(())
    }

    /// Resumes a run that the queue had begun.
    pub(super) async fn resume(&mut self, run: i64) -> Result<(), Interruption> {
        let playing = self.with_store(|store| store.entries_in(EntryState::Playing)).await?;
        let playing = playing.iter().filter(|entry| entry.run == Some(run));
        let mut entries: Vec<_> = playing.map(|entry| self.active(entry)).collect();
        let mut which = self.path().as_os_str().to_owned();
        which.push(format!("#{run}"));
        let mut arguments =
            vec!["resume".into(), which, "--public".into(), "--require-isolation".into()];
        arguments.extend(self.trust_arguments());
        arguments.extend(self.worker_options(Some(run)).await?);
        let mut is_announced = false;
        loop {
            if !self.is_locked().await? {
                if !std::mem::replace(&mut is_announced, true) {
                    add_line(&mut entries, "the run continues after an interruption");
                    info!(hill = %self.path().display(), run, "the run is resumed");
                }
                let result = self.run_of_hill(&mut entries, arguments.clone(), Some(run)).await?;
                if !result.is_busy {
                    let result = CommandResult { run: Some(run), ..result };
                    return self.after_run(&mut entries, &result).await;
                }
            }
            self.wait_for_other_run(&mut entries).await?;
            // The other process may have ended it, or the host has stopped it.
            if self.with_store(|store| store.run_to_resume()).await? != Some(run) {
                self.commands.count_change();
                return Ok(());
            }
        }
    }

    /// Whether another process plays on the hill, such as one that a killed server has left.
    async fn is_locked(&self) -> Result<bool, FileError> {
        let path = self.path().to_owned();
        let read = spawn_blocking(move || Ok(HillStore::open(&path)?.is_locked() == Some(true)));
        read.await.unwrap_or_else(|error| Err(FileError::new(self.path(), error)))
    }

    /// Waits, because another process plays on the hill.
    pub(super) async fn wait_for_other_run(
        &self,
        entries: &mut [ActiveEntry],
    ) -> Result<(), Interruption> {
        entries.iter_mut().for_each(|entry| entry.report.add_once(OTHER_RUN));
        self.commands.write(entries).await?;
        self.pause(BUSY_PAUSE).await
    }

    /// Whether a command that began at a time has ended because the host barred a bot, so that the others are still to play.
    pub(super) async fn is_stopped_by_bar(
        &self,
        result: &CommandResult,
        begun: i64,
    ) -> Result<bool, FileError> {
        Ok(result.status == ExitStatus::Interrupted
            && result.run.is_none()
            && self.with_store(move |store| store.has_barred_since(begun)).await?)
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
            qualifies: None,
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
            ExitStatus::Interrupted => self.give_up(entries, result.run, INTERRUPTED).await,
            // For example, another version of the program began the run.
            ExitStatus::BadInput => self.abandon(entries, result.run).await,
            ExitStatus::Failed if i64::from(self.failures) >= MAX_ATTEMPTS => {
                self.give_up(entries, result.run, GIVEN_UP).await
            }
            ExitStatus::Failed => self.pause_after_failure().await,
        }
    }

    /// Leaves a run as it is, so that its bots play in the next one.
    async fn abandon(
        &self,
        entries: &mut [ActiveEntry],
        run: Option<i64>,
    ) -> Result<(), Interruption> {
        // Such as with too few bots.
        let Some(run) = run else {
            add_line(entries, STAYS);
            return Ok(self.commands.write(entries).await?);
        };
        add_line(entries, ABANDONED);
        self.commands.write(entries).await?;
        self.with_store(move |store| store.give_up_run(run, EntryState::Ready)).await?;
        error!(
            hill = %self.path().display(),
            run,
            "the run is given up, and its bots play in the next one"
        );
        self.commands.count_change();
        Ok(())
    }

    /// Ends the entries of a run that is not resumed, and says why. Their bots stay on the hill.
    pub(super) async fn give_up(
        &mut self,
        entries: &mut [ActiveEntry],
        run: Option<i64>,
        why: &str,
    ) -> Result<(), Interruption> {
        self.failures = 0;
        self.report_interruption(entries, why, STAYS).await?;
        if let Some(run) = run {
            self.with_store(move |store| store.give_up_run(run, EntryState::Done)).await?;
        }
        self.commands.count_change();
        Ok(())
    }

    /// Adds to the reports why a run has ended early, and what becomes of the bots that are not barred.
    pub(super) async fn report_interruption(
        &self,
        entries: &mut [ActiveEntry],
        why: &str,
        becomes: &str,
    ) -> Result<(), FileError> {
        add_line(entries, why);
        for entry in &mut *entries {
            let id = entry.id;
            let is_barred = move |store: &mut EntryStore| match store.entry(id)? {
                Some(entry) => store.is_barred(&entry.bot),
                None => Ok(false),
            };
            if self.with_store(is_barred).await? {
                entry.report.add(&EntryRefusal::removal_line());
            } else {
                entry.report.add(becomes);
            }
        }
        self.commands.write(entries).await
    }
}
