//! Starting and ending child processes: all of them, and only here.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt, FdMapping};
use dicehill_temporary::Temporary;
use rustix::process::Pid;

use crate::child_end::Ended;
use crate::descendants::{descendants, peak_bytes};
#[cfg(target_os = "linux")]
use crate::descendants::{processor_demand, used};
use crate::isolation::{self, Absent, Room};
use crate::keeper::{CLOCK, Duty, END, GRACE, KEEPER, KILL, SOCKET, TERMINATION};
use crate::move_clock::MoveClock;
use crate::program::Running;

/// What a child finds in its environment, if we have it ourselves.
const ENVIRONMENT: [&str; 7] =
    ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME", "PYENV_ROOT"];
/// The same for a build: where its tools keep themselves, and where that is if nobody says.
const TOOLS: [(&str, Option<&str>); 3] =
    [("CARGO_HOME", Some(".cargo")), ("RUSTUP_HOME", Some(".rustup")), ("RUSTUP_TOOLCHAIN", None)];
/// Children that may be about to end while others are started.
const MOST_ENDING: usize = 16;
/// How often those who are about to end are looked after.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
/// How long it may take to find out what can be had.
const LONGEST_SURVEY: Duration = Duration::from_secs(10);

/// What is to be started.
#[derive(Clone, Debug)]
pub(crate) struct Launch<'a> {
    /// The program and its arguments.
    pub(crate) command: &'a [OsString],
    /// Where it works.
    pub(crate) folder: &'a Path,
    /// Mebibytes of memory for it and all that it starts.
    pub(crate) memory_mb: u64,
    /// How it is kept apart, if it is.
    pub(crate) room: Option<Room>,
    pub(crate) work: Work,
    /// Where cargo keeps itself, if not where the host's does.
    pub(crate) cargo_home: Option<&'a Path>,
}

/// What a child is started for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Work {
    /// To play: it may use the processors only while it owes an answer, where it is kept apart.
    Play,
    /// To build something, or to look into it.
    Build,
}

impl Launch<'_> {
    /// What it finds in its environment.
    fn environment(&self) -> Vec<(OsString, OsString)> {
        let found = |key: &str| std::env::var_os(key);
        let known = ENVIRONMENT.iter().filter_map(|key| Some((OsString::from(key), found(key)?)));
        let mut all: Vec<_> = known.collect();
        all.push(("HOME".into(), self.folder.into()));
        if self.work == Work::Build {
            // Tools that are not told where they keep themselves look for it at home.
            let at_home =
                |usual: &str| Some(std::env::home_dir()?.join(usual)).filter(|path| path.is_dir());
            all.extend(TOOLS.iter().filter_map(|(key, usual)| {
                let own = self.cargo_home.filter(|_| *key == "CARGO_HOME").map(OsString::from);
                let place = own.or_else(|| found(key)).or_else(|| Some(at_home((*usual)?)?.into()));
                Some((OsString::from(key), place?))
            }));
        }
        match &self.room {
            // There is no network to ask.
            Some(room) if room.has_tmp => {
                all.push(("TMPDIR".into(), "/tmp".into()));
                all.push(("CARGO_NET_OFFLINE".into(), "true".into()));
            }
            Some(_) => {}
            None => {
                let kept = ["TMPDIR", "CARGO_NET_OFFLINE"].into_iter();
                all.extend(kept.filter_map(|key| Some((key.into(), std::env::var_os(key)?))));
            }
        }
        all
    }
}

/// A running process, with pipes that do not block.
///
/// It ends in order, with all that it has started, when this is dropped; it is killed when the arena
/// itself ends first, in whatever way.
pub(crate) struct Child {
    keeper: Option<std::process::Child>,
    socket: UnixStream,
    /// Until it is closed.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: ChildStderr,
    /// Whether our own program stands between keeper and child.
    has_init: bool,
    /// Runs while it owes an answer.
    clock: Option<MoveClock>,
    is_on_move: bool,
    /// Where its last words go.
    last_words: Option<Arc<Running>>,
}

impl Child {
    /// Starts a process.
    ///
    /// # Errors
    /// If no process can be had. That the command cannot be run is told later, as its end.
    pub(crate) fn start(launch: &Launch<'_>) -> io::Result<Self> {
        let (socket, theirs) = UnixStream::pair()?;
        let mut command = Command::new(keeper()?);
        let is_timed = launch.work == Work::Play && launch.room.is_some();
        let clock = is_timed.then(MoveClock::new).transpose()?;
        let (memory_mb, room) = (launch.memory_mb, launch.room.clone());
        let folder = launch.folder.to_owned();
        let duty = Duty { memory_mb, room, has_clock: clock.is_some(), folder };
        command.arg(KEEPER).arg(serde_json::to_string(&duty)?).args(launch.command);
        command.current_dir(launch.folder).env_clear().envs(launch.environment());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A Ctrl-C at the terminal is for the arena, which ends its children in order.
        command.process_group(0);
        let mut left = vec![FdMapping { parent_fd: OwnedFd::from(theirs), child_fd: SOCKET }];
        if let Some(clock) = &clock {
            let parent_fd = clock.as_fd().try_clone_to_owned()?;
            left.push(FdMapping { parent_fd, child_fd: CLOCK });
        }
        command.fd_mappings(left).map_err(io::Error::other)?;
        let mut keeper = command.spawn()?;
        let (stdin, stdout, stderr) =
            (keeper.stdin.take(), keeper.stdout.take(), keeper.stderr.take());
        let stdin = stdin.expect("its input is a pipe");
        let stdout = stdout.expect("its output is a pipe");
        let stderr = stderr.expect("its log is a pipe");
        for pipe in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Self {
            keeper: Some(keeper),
            socket,
            stdin: Some(stdin),
            stdout,
            stderr,
            has_init: launch.room.is_some(),
            clock,
            is_on_move: false,
            last_words: None,
        })
    }

    /// What it still says when it has been told to end goes to the log of this program, whose folder
    /// stays as long.
    pub(crate) fn keep_last_words(&mut self, running: Arc<Running>) {
        self.last_words = Some(running);
    }

    /// Its input, until it is closed.
    pub(crate) const fn stdin(&mut self) -> Option<&mut ChildStdin> {
        self.stdin.as_mut()
    }

    /// The same, to wait for.
    pub(crate) const fn input(&self) -> Option<&ChildStdin> {
        self.stdin.as_ref()
    }

    /// Its output.
    pub(crate) const fn stdout(&mut self) -> &mut ChildStdout {
        &mut self.stdout
    }

    /// The same, to wait for.
    pub(crate) const fn output(&self) -> &ChildStdout {
        &self.stdout
    }

    /// Its log.
    pub(crate) const fn stderr(&mut self) -> &mut ChildStderr {
        &mut self.stderr
    }

    /// The same, to wait for.
    pub(crate) const fn log(&self) -> &ChildStderr {
        &self.stderr
    }

    /// The child can read no more.
    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// The most memory that the child, with what it has started and still lives, has had in use.
    pub(crate) fn peak_bytes(&self) -> u64 {
        let keeper = self.keeper.as_ref().map(Pid::from_child);
        let below = keeper.map(descendants).unwrap_or_default();
        // The first of those that are kept apart is our own.
        below.into_iter().skip(usize::from(self.has_init)).filter_map(peak_bytes).sum()
    }

    /// Says whether it owes an answer.
    pub(crate) fn set_on_move(&mut self, is_on_move: bool) {
        if self.is_on_move != is_on_move {
            self.is_on_move = is_on_move;
            if let Some(clock) = &self.clock {
                if is_on_move { clock.start() } else { clock.stop() }
            }
        }
    }

    /// How long the child, with what it has started and still lives, has had the processor or has
    /// stood in line for it; nothing if the system does not tell.
    #[cfg(target_os = "linux")]
    pub(crate) fn processor_demand(&self) -> Option<Duration> {
        let of_all = descendants(self.keeper.as_ref().map(Pid::from_child)?);
        let demands: Vec<_> = of_all.into_iter().filter_map(processor_demand).collect();
        (!demands.is_empty()).then(|| demands.iter().sum())
    }

    /// How long the child, with what it has started and still lives, has had the processors.
    #[cfg(target_os = "linux")]
    pub(crate) fn processor_time(&self) -> Duration {
        let below = self.keeper.as_ref().map(Pid::from_child).map(descendants).unwrap_or_default();
        below.into_iter().filter_map(used).map(|(_, time)| time).sum()
    }

    /// Has the child killed with all that it has started.
    pub(crate) fn kill(&mut self) {
        let _gone = self.socket.write_all(&[KILL]);
    }

    /// How it has ended, as soon as that is known, but `wait` at the most.
    pub(crate) fn ended(&mut self, wait: Duration) -> Option<Ended> {
        let mut report = String::new();
        self.socket.set_read_timeout(Some(wait.max(Duration::from_millis(1)))).ok()?;
        self.socket.read_to_string(&mut report).ok()?;
        report.parse().ok()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stdin = None;
        let _gone = self.socket.write_all(&[END]);
        if let Some(keeper) = self.keeper.take()
            && let Ok(socket) = self.socket.try_clone()
        {
            let stderr = self.stderr.as_fd().try_clone_to_owned().ok().map(File::from);
            let last_words = stderr.zip(self.last_words.take());
            wind_up(Ending { keeper, _socket: socket, last_words });
        }
    }
}

/// A child that has been told to end. Its keeper works as long as it has the socket.
struct Ending {
    keeper: std::process::Child,
    _socket: UnixStream,
    /// Its log, and where it is kept.
    last_words: Option<(File, Arc<Running>)>,
}

impl Ending {
    /// Whether it still lives; takes what it says.
    fn lives(&mut self) -> bool {
        let lives = matches!(self.keeper.try_wait(), Ok(None));
        if let Some((stderr, running)) = &mut self.last_words {
            let mut bytes = [0; 8192];
            // A bounded look: what floods its log is not waited for.
            for _ in 0..8 {
                match stderr.read(&mut bytes) {
                    Ok(got @ 1..) => running.log().write(&bytes[..got]),
                    Ok(0) | Err(_) => break,
                }
            }
        }
        lives
    }
}

/// Children that are about to end.
static ENDING: Mutex<Vec<Ending>> = Mutex::new(Vec::new());

/// Keeps an eye on those who are about to end, and waits for the first of too many.
fn wind_up(ending: Ending) {
    let mut all = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    if all.is_empty() {
        // Nobody else may come by for a long time, and their folders go with them.
        std::thread::spawn(|| {
            while some_are_ending() {
                std::thread::sleep(BETWEEN_LOOKS);
            }
        });
    }
    all.push(ending);
    all.retain_mut(Ending::lives);
    if all.len() > MOST_ENDING {
        let mut first = all.remove(0);
        let _status = first.keeper.wait();
    }
}

/// Lets go of those who have ended, and says whether there are others.
fn some_are_ending() -> bool {
    let mut all = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain_mut(Ending::lives);
    !all.is_empty()
}

/// Waits until all children have ended that have been told to, and gives back what was made for them. They are
/// given the time that a child has for it; whoever is left then is killed when this process ends.
pub fn wait_for_children() {
    let until = Instant::now() + 2 * (GRACE + TERMINATION);
    while some_are_ending() && Instant::now() <= until {
        std::thread::sleep(Duration::from_millis(2));
    }
    isolation::give_back();
}

/// Tries what keeps children apart, and says what cannot be had.
///
/// # Errors
/// If not even that can be found out.
pub(crate) fn survey() -> io::Result<Vec<Absent>> {
    let folder = Temporary::new()?;
    let path = folder.path().canonicalize()?;
    let room = Room::of_survey(path.clone());
    let (room, work) = (Some(room), Work::Build);
    let launch =
        Launch { command: &[], folder: &path, memory_mb: 64, room, work, cargo_home: None };
    match Child::start(&launch)?.ended(LONGEST_SURVEY) {
        Some(Ended::Surveyed(absent)) => Ok(serde_json::from_str(&absent)?),
        Some(Ended::NotStarted(why) | Ended::ArenaError(why)) => Err(io::Error::other(why)),
        other => Err(io::Error::other(format!("it ended otherwise: {other:?}"))),
    }
}

/// Who works behind the scenes instead of this program.
static DEPUTY: OnceLock<PathBuf> = OnceLock::new();

/// Has another program work behind the scenes: one whose `main` begins with
/// [`work_behind_the_scenes`](crate::work_behind_the_scenes), as that of the program which uses this crate does
/// not. What is named first counts.
pub fn let_work_behind_the_scenes(program: PathBuf) {
    let _first = DEPUTY.set(program);
}

/// The program that becomes a keeper: this one, even if its file has been replaced meanwhile, or its deputy.
///
/// # Errors
/// If the system does not tell which program this is.
pub(crate) fn keeper() -> io::Result<PathBuf> {
    match DEPUTY.get() {
        Some(deputy) => Ok(deputy.clone()),
        None if cfg!(target_os = "linux") => Ok("/proc/self/exe".into()),
        None => std::env::current_exe(),
    }
}

/// Where a command's program is: in `folder` if its name has a slash, else along the PATH.
pub(crate) fn find_program(name: &OsStr, folder: &Path) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| path.is_file();
    if name.as_encoded_bytes().contains(&b'/') {
        return Some(folder.join(name)).filter(is_program);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(is_program)
}
