//! A program outside: found, copied, built, and ready to be started.

use std::ffi::OsString;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dicehill_arena::{Bot, Failure, Limits, Memory, Program, Reason, Server};

use crate::child_bot::ChildBot;
use crate::files::{Files, FilesError, WorkFolder};
use crate::isolation::{Bounds, Isolation, Room, next_user};
use crate::process::Process;
use crate::seen::Seen;
use crate::wire::{Hello, PROTOCOL};
use crate::{BotLog, WireGame, build, child, java, reach};

/// What a bot outside is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A program that speaks the protocol.
    Command {
        /// The program and its arguments.
        command: Vec<String>,
        /// Where the paths among its words begin.
        base: PathBuf,
        /// The folder that is copied. Without one, the arguments that name files are.
        dir: Option<PathBuf>,
        /// A command that is run once in a copy of the folder.
        build: Option<Vec<String>>,
        /// What else it may read.
        read: Vec<PathBuf>,
    },
    /// A player for the published Java interfaces: a `.java` file, a folder of them, or a `.jar`.
    Java {
        /// Where it is.
        path: PathBuf,
        /// Its class, where that is not evident.
        class: Option<String>,
        /// What else it may read.
        read: Vec<PathBuf>,
    },
}

/// On what terms a bot plays.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The game.
    pub game: &'static str,
    /// The variant of the rules.
    pub rules: String,
    /// How long a process lives.
    pub memory: Memory,
    /// What it may use.
    pub limits: Limits,
    /// Whether it is kept apart.
    pub isolation: Isolation,
}

/// Why a bot cannot be made ready.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// Its files.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// Nothing to run.
    #[error("the command is empty")]
    NoCommand,
    /// Its program is nowhere.
    #[error("{program:?}: no such program {place}")]
    NoProgram {
        /// Its name.
        program: String,
        /// Where it was looked for.
        place: &'static str,
    },
    /// Neither file nor folder.
    #[error("{}: no such {what}", path.display())]
    NoSuch {
        /// The path.
        path: PathBuf,
        /// What should be there.
        what: &'static str,
    },
    /// Java separates the entries of a class path by colons.
    #[error("{}: the name of a jar may not contain a colon", .0.display())]
    JarName(PathBuf),
    /// It could not be built.
    #[error("{what} failed: {how}\n{output}")]
    Build {
        /// What was run.
        what: String,
        /// How it ended.
        how: String,
        /// The end of its output.
        output: String,
    },
    /// No Java on this machine.
    #[error(
        "a Java bot needs {what}, and none was found in JAVA_HOME or PATH: install a JDK, e.g. \
         `apt-get install default-jdk-headless`, `brew install openjdk`, or https://adoptium.net"
    )]
    NoJava {
        /// `java` or `javac`.
        what: &'static str,
    },
    /// The machine could not do it.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl PrepareError {
    /// Whether the arena's machine is at fault and not the bot.
    #[must_use]
    pub const fn is_arena_error(&self) -> bool {
        match self {
            Self::NoJava { .. } | Self::Io(_) => true,
            Self::Files(_)
            | Self::NoCommand
            | Self::NoProgram { .. }
            | Self::NoSuch { .. }
            | Self::JarName(_)
            | Self::Build { .. } => false,
        }
    }

    /// The failure of a bot that cannot be prepared.
    fn failure(&self) -> Failure {
        let reason = if self.is_arena_error() { Reason::ArenaError } else { Reason::Crash };
        Failure::new(reason, self.to_string())
    }
}

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
            Source::Java { path, class, .. } => java::prepare(path, class.as_deref(), &terms)?,
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
            let statics = java::remarks(command, folder, readable, terms.isolation);
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

/// What is found of a bot.
pub(crate) struct Ready {
    pub(crate) command: Vec<OsString>,
    pub(crate) files: Files,
    /// What it may read beside its files.
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) identity: String,
}

/// A program and its folder, as they are run.
pub(crate) struct Running {
    command: Vec<OsString>,
    files: Files,
    /// What its processes may read beside their folder.
    readable: Vec<PathBuf>,
    /// Whether it is behind the bridge, which can look into it.
    is_java: bool,
    /// The user of its processes, if we are root.
    user: u32,
    name: String,
    terms: Terms,
    log: Arc<BotLog>,
    /// What was seen of its processes.
    seen: Seen,
    /// Made when the first process starts.
    folder: OnceLock<Result<WorkFolder, String>>,
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
            ..Room::new(folder.to_owned(), self.user, bounds)
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

    fn another(&self) -> Self {
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

/// A hasher that has taken in what kind of bot it is.
pub(crate) fn hasher(kind: &str, words: &[String]) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    for part in std::iter::once(kind).chain(words.iter().map(String::as_str)) {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher
}

pub(crate) fn identity(hasher: &blake3::Hasher) -> String {
    format!("blake3:{}", hasher.finalize())
}

fn in_folder(
    command: &[String],
    dir: &Path,
    build: Option<&[String]>,
    isolation: Isolation,
) -> Result<Ready, PrepareError> {
    if !dir.is_dir() {
        return Err(PrepareError::NoSuch { path: dir.to_owned(), what: "folder" });
    }
    let mut files = match build {
        Some(_) => Files::to_be_built(dir)?,
        None => Files::in_folder(dir)?,
    };
    let mut hasher = hasher("command", command);
    for word in build.unwrap_or_default() {
        hasher.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
    }
    files.hash(&mut hasher)?;
    let identity = identity(&hasher);
    let mut place = dir.to_owned();
    if let Some(build) = build {
        place = build::built(build, &files, &identity, isolation)?;
        files = Files::in_folder(&place)?;
    }
    check_program(command, &place)?;
    let command: Vec<_> = command.iter().map(OsString::from).collect();
    let readable = reach::of_command(&command, &place);
    Ok(Ready { command, files, readable, identity })
}

/// The arguments that name files are copied side by side, and named by where the copies are.
fn by_its_arguments(command: &[String], base: &Path) -> Result<Ready, PrepareError> {
    let (words, files) = side_by_side(command, base);
    let shown: Vec<_> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut hasher = hasher("command", &shown);
    files.hash(&mut hasher)?;
    check_program(command, base)?;
    let as_given: Vec<_> = command.iter().map(OsString::from).collect();
    let readable = reach::of_command(&as_given, base);
    Ok(Ready { command: words, files, readable, identity: identity(&hasher) })
}

/// The words of a command whose files lie side by side, and these files.
pub(crate) fn side_by_side(command: &[String], base: &Path) -> (Vec<OsString>, Files) {
    let mut files = Files::default();
    let mut words = Vec::with_capacity(command.len());
    for (index, word) in command.iter().enumerate() {
        let path = base.join(word);
        // A program that is called by its name alone, or by an absolute path, is the system's.
        let is_own = index > 0 || (word.contains('/') && !Path::new(word).is_absolute());
        match path.file_name().filter(|_| is_own && path.is_file()) {
            None => words.push(OsString::from(word)),
            Some(name) => {
                let place = PathBuf::from(if words.iter().any(|other| *other == name) {
                    format!("{index}-{}", name.to_string_lossy())
                } else {
                    name.to_string_lossy().into_owned()
                });
                files.add(path.clone(), place.clone());
                words.push(if index == 0 { Path::new(".").join(place) } else { place }.into());
            }
        }
    }
    (words, files)
}

fn check_program(command: &[String], folder: &Path) -> Result<(), PrepareError> {
    let Some(program) = command.first().filter(|program| !program.is_empty()) else {
        return Err(PrepareError::NoCommand);
    };
    if child::find_program(program.as_ref(), folder).is_some() {
        return Ok(());
    }
    let place = if program.contains('/') { "there" } else { "in the PATH" };
    Err(PrepareError::NoProgram { program: program.clone(), place })
}
