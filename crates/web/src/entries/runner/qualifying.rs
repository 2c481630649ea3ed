//! From an entry that waits to its bot on the hill.

use std::ffi::OsString;
use std::time::Duration;

use dicehill_arena::BotName;
use dicehill_store::{EntryRefusal, EntryState, EntryStore, FileError, StoredEntry};
use tokio::task::spawn_blocking;
use tokio::time::Instant;
use tracing::info;

use super::playing::INTERRUPTED;
use super::{EntryRunner, LOST, MAX_ATTEMPTS, RUN_TIMEOUT};
use crate::entries::command::CapturedOutput;
use crate::entries::command_output::ExitStatus;
use crate::entries::followed_command::{ActiveEntry, CommandResult, FollowedCommand, Interruption};
use crate::entries::manifest::UploadedBot;
use crate::model::forecast::Active;
use crate::model::time::now;

/// The longest time of a qualification, including builds.
pub(crate) const CHECK_TIMEOUT: Duration = Duration::from_secs(30 * 60);
const TOO_OFTEN: &str = "the qualification was interrupted too often; please upload the bot again";
const ABSENT: &str =
    "the bot was not connected during its qualification; connect it again with --new-version";
const TRY_AGAIN: &str = "the bot is not on the hill; please upload it again";
const RETRY: &str = "an error of the server; it tries again";

impl EntryRunner {
    /// Qualifies the bot of an entry, and adds it to the hill.
    pub(super) async fn process(&mut self, entry: &StoredEntry) -> Result<(), Interruption> {
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
        let entry = entry.clone();
        let unpacked = spawn_blocking(move || {
            let upload = EntryStore::open_to_read(&path)?.upload(id)?;
            let Some(upload) = upload else { return Ok(Err(LOST.to_owned())) };
            let bot = UploadedBot::stored(&entry, upload);
            match bot {
                Ok(bot) if bot.name().as_str() == entry.bot => Ok(Ok(bot)),
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
        info!(hill = %self.path().display(), entry = active.id, bot = %bot.name(), "the bot is being qualified");
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
            qualifies: Some(active.id),
        };
        let begun = Instant::now();
        let result = self.commands.run(std::slice::from_mut(active), command).await?;
        if result.is_withdrawn {
            info!(hill = %self.path().display(), entry = active.id, "the host has ended the qualification");
            return Ok(());
        }
        if result.status != ExitStatus::Done && self.was_absent(bot, begun) {
            return self.end_absent(active).await;
        }
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

    /// Whether it is a bot that stays on its author's machine, and was not connected at some time since `begun`.
    fn was_absent(&self, bot: &UploadedBot, begun: Instant) -> bool {
        let (Some(entry), Some(bots)) = (bot.remote_entry(), &self.commands.remote) else {
            return false;
        };
        bots.bot(entry).was_absent_since(begun.into_std())
    }

    /// Ends the entry of a bot that was not connected: neither the bot nor the server is at fault.
    async fn end_absent(&self, active: &mut ActiveEntry) -> Result<(), Interruption> {
        active.report.add(ABSENT);
        self.commands.write(std::slice::from_mut(active)).await?;
        Ok(self.end(active, EntryState::Failed).await?)
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
        let id = active.id;
        loop {
            // The host may have held or skipped it.
            if !self.with_store(move |store| store.resume_check(id)).await? {
                return Ok(());
            }
            if let Some(refusal) = self.name_refusal(id, bot).await? {
                active.report.add(&refusal.report_line());
                self.commands.write(std::slice::from_mut(active)).await?;
                return Ok(self.end(active, EntryState::Refused).await?);
            }
            let begun = now();
            let result = self.try_to_add(active, bot).await?;
            if result.is_busy {
                // The host may hold or skip the entry meanwhile.
                self.end(active, EntryState::Waiting).await?;
                self.wait_for_other_run(std::slice::from_mut(active)).await?;
                continue;
            }
            if self.is_stopped_by_bar(&result, begun).await? {
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
                let entries = std::slice::from_mut(active);
                self.report_interruption(entries, INTERRUPTED, TRY_AGAIN).await?;
                Ok(self.end(active, EntryState::Failed).await?)
            }
            (EntryState::Checking, ExitStatus::Done | ExitStatus::BadInput) => {
                Ok(self.end(active, EntryState::Failed).await?)
            }
            (_, ExitStatus::Interrupted) if is_playing => {
                self.give_up(std::slice::from_mut(active), result.run, INTERRUPTED).await
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
        arguments.extend([bot.argument().into(), "--public".into(), "--require-isolation".into()]);
        arguments.extend(["--next-run".into(), "--entry".into(), active.id.to_string().into()]);
        arguments.extend(self.trust_arguments());
        let command = FollowedCommand {
            folder: bot.folder(),
            bot_cache: Some(bot.cache()),
            arguments,
            secrets: self.secrets(None).await?,
            output: CapturedOutput::Stderr,
            timeout: RUN_TIMEOUT,
            active: Some(Active::Entry(active.id)),
            qualifies: None,
        };
        self.commands.run(std::slice::from_mut(active), command).await
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
    store.name_refusal(name, token)
}
