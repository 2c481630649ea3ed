//! What all processes of an external bot share while it plays.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dicehill_arena::{Limits, Memory};

use super::process_snapshot::Seen;
use crate::bot_log::BotLog;
use crate::child::ending::LogSink;
use crate::child::probe::sandbox;
use crate::files::bot_files::Files;
use crate::files::work_folder::WorkFolder;
use crate::isolation::bot_user::next_user;
use crate::isolation::limits::Bounds;
use crate::isolation::sandbox::{Isolation, Room};
use crate::prepare::terms::Terms;
use crate::protocol::{Hello, PROTOCOL};

/// A program and its folder, as they are run.
pub(crate) struct Running {
    pub(super) command: Vec<OsString>,
    pub(super) files: Files,
    /// What its processes may read beside their folder.
    pub(super) readable: Vec<PathBuf>,
    /// Whether it is behind the bridge, which can look into it.
    pub(super) is_java: bool,
    /// The user of its processes, if we are root.
    pub(super) user: u32,
    pub(super) name: String,
    pub(super) terms: Terms,
    pub(super) log: Arc<BotLog>,
    /// What was seen of its processes.
    pub(super) seen: Seen,
    /// Made when the first process starts.
    pub(super) folder: OnceLock<Result<WorkFolder, String>>,
}

impl Running {
    pub(crate) fn command(&self) -> &[OsString] {
        &self.command
    }

    /// Where a process works that is about to start.
    ///
    /// # Errors
    /// If the files cannot be copied.
    pub(crate) fn open_folder(&self) -> io::Result<&Path> {
        let folder = self.work_folder()?;
        if self.lives_through_the_run() {
            // An earlier process may have closed the folder against its successor.
            folder.allow_entry()?;
        }
        Ok(folder.path())
    }

    /// Whether the bot plays behind the Java bridge.
    pub(crate) const fn is_java(&self) -> bool {
        self.is_java
    }

    fn work_folder(&self) -> io::Result<&WorkFolder> {
        let writable = self.lives_through_the_run();
        let user = (self.terms.isolation == Isolation::On).then_some(self.user);
        let make =
            || WorkFolder::new(&self.files, writable, user).map_err(|error| error.to_string());
        match self.folder.get_or_init(make) {
            Ok(folder) => Ok(folder),
            Err(why) => Err(io::Error::other(why.clone())),
        }
    }

    /// How its processes are kept apart, if they are.
    pub(crate) fn room(&self, folder: &Path) -> Option<Room> {
        let bounds = Bounds::of_bot(self.limits().memory_mb);
        (self.terms.isolation == Isolation::On).then(|| Room {
            readable: self.readable.clone(),
            needs_proc: self.is_java,
            stock: self.work_folder().map(WorkFolder::stock).unwrap_or_default(),
            writable: if self.lives_through_the_run() {
                vec![folder.to_owned()]
            } else {
                Vec::new()
            },
            ..sandbox(folder.to_owned(), self.user, bounds)
        })
    }

    pub(crate) const fn limits(&self) -> Limits {
        self.terms.limits
    }

    pub(crate) fn lives_through_the_run(&self) -> bool {
        self.terms.memory == Memory::Set
    }

    pub(crate) const fn seen(&self) -> &Seen {
        &self.seen
    }

    pub(crate) fn log(&self) -> &BotLog {
        &self.log
    }

    pub(crate) fn hello(&self) -> Hello<'_> {
        Hello {
            protocol: PROTOCOL,
            game: self.terms.game,
            rules: &self.terms.rules,
            memory: self.terms.memory.name(),
            name: &self.name,
            limits: self.terms.limits.into(),
        }
    }

    pub(super) fn another(&self) -> Self {
        Self {
            command: self.command.clone(),
            files: self.files.clone(),
            readable: self.readable.clone(),
            is_java: self.is_java,
            user: next_user(),
            name: self.name.clone(),
            terms: self.terms.clone(),
            log: Arc::clone(&self.log),
            seen: Seen::default(),
            folder: OnceLock::new(),
        }
    }
}

impl LogSink for Running {
    fn write(&self, bytes: &[u8]) {
        self.log.write(bytes);
    }
}
