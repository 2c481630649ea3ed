//! An external bot that is ready to be started.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dicehill_arena::{Bot, Failure, Memory, Program, Resent, Server, Start};

use super::answer_cost::AnswerCost;
use super::bot_process::BotProcess;
use super::bot_runtime::{BotRuntime, ExpectedGames};
use super::process_bot::ProcessBot;
use super::process_snapshot::ProcessSnapshot;
use crate::bot_log::BotLog;
use crate::child::probe::sandbox_user;
use crate::files::bot_files::BotFiles;
use crate::java::player;
use crate::prepare::command_bot::{prepare_arguments, prepare_folder};
use crate::prepare::error::{Missing, PrepareError};
use crate::prepare::prepared_bot::PreparedBot;
use crate::prepare::settings::ExternalBotSettings;
use crate::prepare::source::BotSource;
use crate::protocol::WireGame;

/// An external bot that is ready to be started.
pub struct ExternalBot<G> {
    runtime: Arc<BotRuntime>,
    identity: String,
    /// Remarks about its program.
    remarks: Vec<String>,
    /// A process that has qualified and waits for a run.
    kept: Mutex<Option<Box<dyn Server<G>>>>,
}

impl<G: WireGame> ExternalBot<G> {
    /// Finds the files of a bot, hashes them, and builds the bot if it has a build command.
    ///
    /// # Errors
    /// If a file is missing or invalid, or the build fails.
    pub fn prepare(
        name: &str,
        source: &BotSource,
        settings: ExternalBotSettings,
        log: BotLog,
    ) -> Result<Self, PrepareError> {
        let PreparedBot { command, files, mut readable, identity, remarks } = match source {
            BotSource::Command { command, dir: Some(dir), build, read, .. } => {
                prepare_folder(command, dir, build.as_deref(), (read, settings.isolation))?
            }
            BotSource::Command { command, base, dir: None, .. } => {
                prepare_arguments(command, base)?
            }
            BotSource::Java { path, class, .. } => {
                player::prepare(path, class.as_deref(), &settings)?
            }
            BotSource::Remote { entry } => PreparedBot {
                command: vec!["the remote bot".into()],
                files: BotFiles::default(),
                readable: Vec::new(),
                identity: format!("remote:{entry}"),
                remarks: Vec::new(),
            },
        };
        let (read, remote) = match source {
            BotSource::Command { read, .. } | BotSource::Java { read, .. } => (&**read, None),
            BotSource::Remote { entry } => (&[][..], Some(*entry)),
        };
        for path in read {
            let absolute = path.canonicalize();
            let missing = |_| PrepareError::no_such(Missing::ToRead, path, Path::new(""));
            readable.push(absolute.map_err(missing)?);
            readable.push(std::path::absolute(path)?);
        }
        let runtime = BotRuntime {
            command,
            files,
            readable,
            is_java: matches!(source, BotSource::Java { .. }),
            remote,
            user: sandbox_user(settings.isolation),
            name: name.to_owned(),
            settings,
            log: Arc::new(log),
            snapshot: ProcessSnapshot::default(),
            cost: Arc::new(AnswerCost::default()),
            folder: OnceLock::new(),
        };
        Ok(Self { runtime: Arc::new(runtime), identity, remarks, kept: Mutex::default() })
    }

    /// What the processes of one player share: with memory `set`, a working folder of its own.
    fn new_runtime(&self) -> Arc<BotRuntime> {
        match self.runtime.settings.memory {
            Memory::Game => Arc::clone(&self.runtime),
            Memory::Set => Arc::new(self.runtime.with_new_folder()),
        }
    }
}

impl<G: WireGame> Program<G> for ExternalBot<G> {
    fn identity(&self) -> String {
        self.identity.clone()
    }

    fn remarks(&self) -> Result<Vec<String>, Failure> {
        let mut remarks = self.runtime.snapshot.remarks(self.runtime.limits());
        remarks.extend(self.remarks.iter().cloned());
        Ok(remarks)
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn plays_one_game_a_process(&self) -> bool {
        self.runtime.snapshot.lacks_ready()
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        Box::new(ProcessBot::new(self.new_runtime()))
    }

    fn server(&self) -> Option<Box<dyn Server<G>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        // It may have ended since, or said something that nobody has asked for.
        if kept.as_mut().is_some_and(|server| server.step(&mut Vec::new()).is_err()) {
            kept = None;
        }
        Some(
            kept.unwrap_or_else(|| {
                Box::new(BotProcess::new(self.new_runtime(), ExpectedGames::Many))
            }),
        )
    }

    fn keep(&self, server: Box<dyn Server<G>>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(server);
    }

    fn resend(&self, start: &Start, request: &str) -> Option<Resent<G>> {
        Some(ProcessBot::<G>::new(self.new_runtime()).resend(start, request))
    }
}
