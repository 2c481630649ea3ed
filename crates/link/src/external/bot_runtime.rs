//! What all processes of an external bot share while it plays.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dicehill_arena::{Limits, Memory};

use super::answer_cost::AnswerCost;
use super::process_snapshot::ProcessSnapshot;
use crate::bot_log::BotLog;
use crate::child::probe::{sandbox_around, sandbox_user};
use crate::files::bot_files::BotFiles;
use crate::files::work_folder::WorkFolder;
use crate::isolation::bot_user::BotUser;
use crate::isolation::limits::ResourceLimits;
use crate::isolation::mode::{Isolation, NetworkAccess};
use crate::isolation::sandbox::Sandbox;
use crate::isolation::system_files::NAME_FILES;
use crate::java::player;
use crate::prepare::settings::ExternalBotSettings;
use crate::process::script_head::ScriptHead;
use crate::protocol::{Hello, PROTOCOL};
use crate::secret::Secret;

/// A prepared bot and its working folder, shared by its processes.
pub(crate) struct BotRuntime {
    pub(super) command: Vec<OsString>,
    pub(super) files: BotFiles,
    /// What its processes may read in addition to their folder.
    pub(super) readable: Vec<PathBuf>,
    /// Whether it runs in the Java bridge, which can inspect its classes.
    pub(super) is_java: bool,
    /// The entry of a remote bot, which has no processes here.
    pub(super) remote: Option<i64>,
    /// The owner of its folder, if the arena runs as root: the user of its processes, or their group where
    /// several of them may run.
    pub(super) user: BotUser,
    pub(super) name: String,
    pub(super) settings: ExternalBotSettings,
    pub(super) log: Arc<BotLog>,
    /// What was observed of its processes.
    pub(super) snapshot: ProcessSnapshot,
    /// What answers cost in all processes of the bot.
    pub(super) cost: Arc<AnswerCost>,
    /// Created when the first process starts.
    pub(super) folder: OnceLock<Result<WorkFolder, String>>,
}

/// How many games a process is started for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExpectedGames {
    /// A few, as in a qualification.
    Few,
    /// As many of a run as come.
    Many,
}

impl BotRuntime {
    /// Whether a process needs only the first compiler of the JVM: it is enough for a few games, unless answers are known to be
    /// costly, and for a run, if they are known to be cheap.
    pub(super) fn wants_quick_compiler(&self, games: ExpectedGames) -> bool {
        self.is_java && self.cost.is_cheap().unwrap_or(games == ExpectedGames::Few)
    }

    /// The program of a process and its arguments.
    pub(crate) fn command(&self, has_quick_compiler: bool) -> Cow<'_, [OsString]> {
        if has_quick_compiler {
            Cow::Owned(player::with_quick_compiler(&self.command))
        } else {
            Cow::Borrowed(&self.command)
        }
    }

    /// The program of its processes.
    pub(crate) fn program(&self) -> &OsStr {
        &self.command[0]
    }

    /// Whether Python runs it.
    pub(super) fn is_python(&self) -> bool {
        let name = Path::new(self.program()).file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b"python")
    }

    /// Whether its program is a text of its own without a `#!` line.
    pub(super) fn is_script_without_interpreter(&self) -> bool {
        let own = self.work_folder().ok().map(|folder| folder.path().join(self.program()));
        let head = own.and_then(|path| ScriptHead::read(&path).ok());
        head == Some(ScriptHead::WithoutInterpreter)
    }

    pub(super) fn cost(&self) -> &AnswerCost {
        &self.cost
    }

    /// The working folder of a process that is about to start.
    ///
    /// # Errors
    /// If the files cannot be copied.
    pub(crate) fn open_folder(&self) -> io::Result<&Path> {
        let folder = self.work_folder()?;
        if self.serves_whole_run() {
            // An earlier process may have removed the permission to enter it.
            folder.allow_entry()?;
        }
        Ok(folder.path())
    }

    /// Whether the bot runs in the Java bridge.
    pub(crate) const fn is_java(&self) -> bool {
        self.is_java
    }

    fn work_folder(&self) -> io::Result<&WorkFolder> {
        let writable = self.serves_whole_run();
        let user = (self.settings.isolation == Isolation::On).then_some(self.user.number());
        let make =
            || WorkFolder::new(&self.files, writable, user).map_err(|error| error.to_string());
        match self.folder.get_or_init(make) {
            Ok(folder) => Ok(folder),
            Err(why) => Err(io::Error::other(why.clone())),
        }
    }

    /// The sandbox of its processes, if they have one.
    pub(crate) fn sandbox(&self, folder: &Path) -> Option<Sandbox> {
        let bounds = ResourceLimits::of_bot(self.limits().memory_mb);
        let is_alone = self.serves_whole_run();
        let bounds = if is_alone { bounds.with_writable_folder() } else { bounds };
        let isolation = self.settings.isolation;
        let user = if is_alone { self.user.clone() } else { sandbox_user(isolation) };
        (isolation == Isolation::On).then(|| Sandbox {
            readable: self.visible_paths(),
            network: self.settings.network,
            needs_proc: self.is_java,
            initial_usage: self.work_folder().map(WorkFolder::initial_usage).unwrap_or_default(),
            writable: if is_alone { vec![folder.to_owned()] } else { Vec::new() },
            group: self.user.clone(),
            ..sandbox_around(folder.to_owned(), user, bounds)
        })
    }

    /// What its processes may read in addition to their folder and the system's programs.
    fn visible_paths(&self) -> Vec<PathBuf> {
        let names: &[&str] = match self.settings.network {
            NetworkAccess::None => &[],
            NetworkAccess::Host => &NAME_FILES,
        };
        self.readable.iter().cloned().chain(names.iter().map(PathBuf::from)).collect()
    }

    /// Environment variables for its processes alone.
    pub(crate) fn secrets(&self) -> &[Secret] {
        &self.settings.secrets
    }

    pub(crate) const fn limits(&self) -> Limits {
        self.settings.limits
    }

    pub(crate) fn serves_whole_run(&self) -> bool {
        self.settings.memory == Memory::Set
    }

    pub(crate) const fn snapshot(&self) -> &ProcessSnapshot {
        &self.snapshot
    }

    pub(crate) fn log(&self) -> &BotLog {
        &self.log
    }

    pub(crate) fn hello(&self) -> Hello<'_> {
        Hello {
            protocol: PROTOCOL,
            game: self.settings.game,
            rules: &self.settings.rules,
            memory: self.settings.memory.name(),
            name: &self.name,
            limits: self.settings.limits.into(),
        }
    }

    pub(super) fn with_new_folder(&self) -> Self {
        Self {
            command: self.command.clone(),
            files: self.files.clone(),
            readable: self.readable.clone(),
            is_java: self.is_java,
            remote: self.remote,
            user: sandbox_user(self.settings.isolation),
            name: self.name.clone(),
            settings: self.settings.clone(),
            log: Arc::clone(&self.log),
            snapshot: ProcessSnapshot::default(),
            cost: Arc::clone(&self.cost),
            folder: OnceLock::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use dicehill_arena::Limits;

    use super::*;

    fn runtime(is_java: bool) -> BotRuntime {
        BotRuntime {
            command: vec!["java".into(), "-cp".into(), "bridge".into()],
            files: BotFiles::default(),
            readable: Vec::new(),
            is_java,
            remote: None,
            user: BotUser::new(),
            name: "Mine".to_owned(),
            settings: ExternalBotSettings {
                game: "yahtzee",
                rules: "official".to_owned(),
                memory: Memory::Game,
                limits: Limits::default(),
                isolation: Isolation::Off,
                network: NetworkAccess::None,
                secrets: Vec::new(),
                stop: Default::default(),
            },
            log: Arc::default(),
            snapshot: ProcessSnapshot::default(),
            cost: Arc::default(),
            folder: OnceLock::new(),
        }
    }

    #[test]
    fn the_quick_compiler_is_for_few_games_and_for_cheap_answers() {
        let is_quick = |runtime: &BotRuntime, games| {
            let command = runtime.command(runtime.wants_quick_compiler(games));
            command[1].to_string_lossy().starts_with("-XX:TieredStopAtLevel")
        };
        let check = |runtime: &BotRuntime| {
            [ExpectedGames::Few, ExpectedGames::Many].map(|games| is_quick(runtime, games))
        };
        let java = runtime(true);
        assert_eq!(check(&java), [true, false]);
        let start = Duration::from_millis(70);
        java.cost().record(start, Duration::from_millis(300), 200);
        assert_eq!(check(&java), [true, true]);
        assert_eq!(check(&java.with_new_folder()), [true, true]);
        java.cost().record(start, Duration::from_secs(4), 200);
        assert_eq!(check(&java), [false, false]);
        assert_eq!(check(&runtime(false)), [false, false]);
    }
}
