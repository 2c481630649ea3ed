//! An external bot that is ready to be started.

use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use dicehill_arena::{Bot, Failure, Memory, Program, Server};

use super::bot_process::Process;
use super::bot_runtime::Running;
use super::process_bot::ChildBot;
use super::process_snapshot::Seen;
use crate::bot_log::BotLog;
use crate::isolation::bot_user::next_user;
use crate::java::{player, static_fields};
use crate::prepare::command_bot::{by_its_arguments, in_folder};
use crate::prepare::error::PrepareError;
use crate::prepare::prepared_bot::Ready;
use crate::prepare::source::Source;
use crate::prepare::terms::Terms;
use crate::protocol::WireGame;

/// A program outside that is ready to be started.
pub struct Outside<G> {
    running: Arc<Running>,
    identity: String,
    game: PhantomData<fn() -> G>,
}

impl<G: WireGame> Outside<G> {
    /// Finds the files of a bot, builds it where it has to be built, and copies it.
    ///
    /// # Errors
    /// If something of it is missing or cannot be built.
    pub fn prepare(
        name: &str,
        source: &Source,
        terms: Terms,
        log: BotLog,
    ) -> Result<Self, PrepareError> {
        let Ready { command, files, mut readable, identity } = match source {
            Source::Command { command, dir: Some(dir), build, .. } => {
                in_folder(command, dir, build.as_deref(), terms.isolation)?
            }
            Source::Command { command, base, dir: None, .. } => by_its_arguments(command, base)?,
            Source::Java { path, class, .. } => player::prepare(path, class.as_deref(), &terms)?,
        };
        let (Source::Command { read, .. } | Source::Java { read, .. }) = source;
        for path in read {
            let absolute = path.canonicalize();
            readable.push(absolute.map_err(|_| PrepareError::NoSuch {
                path: path.clone(),
                what: "file or folder to read",
            })?);
            readable.push(std::path::absolute(path)?);
        }
        let name = name.to_owned();
        let folder = OnceLock::new();
        let (log, seen) = (Arc::new(log), Seen::default());
        let user = next_user();
        let is_java = matches!(source, Source::Java { .. });
        let running =
            Running { command, files, readable, is_java, user, name, terms, log, seen, folder };
        Ok(Self { running: Arc::new(running), identity, game: PhantomData })
    }

    /// A life of its own: under `set` with a folder of its own.
    fn life(&self) -> Arc<Running> {
        match self.running.terms.memory {
            Memory::Game => Arc::clone(&self.running),
            Memory::Set => Arc::new(self.running.another()),
        }
    }
}

impl<G: WireGame> Program<G> for Outside<G> {
    fn identity(&self) -> String {
        self.identity.clone()
    }

    fn remarks(&self) -> Result<Vec<String>, Failure> {
        let mut remarks = self.running.seen.remarks(self.running.limits().memory_mb);
        if self.running.is_java {
            let folder = self.running.open_folder().map_err(Failure::of_arena)?;
            let Running { command, readable, terms, .. } = &*self.running;
            let statics = static_fields::remarks(command, folder, readable, terms.isolation);
            remarks.extend(statics.map_err(|error| error.failure())?);
        }
        Ok(remarks)
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn bot(&self) -> Box<dyn Bot<G>> {
        Box::new(ChildBot::new(self.life()))
    }

    fn server(&self) -> Option<Box<dyn Server<G>>> {
        Some(Box::new(Process::new(self.life())))
    }
}
