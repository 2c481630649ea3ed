//! A running child process.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustix::process::Pid;

use super::ending::{Ending, LogSink, wind_up};
use super::helper_program::keeper;
use super::spawn_request::{Launch, Work};
use crate::process::descendants::{descendants, peak_bytes};
#[cfg(target_os = "linux")]
use crate::process::descendants::{processor_demand, used};
use crate::process::ended::Ended;
use crate::process::inherited::{CLOCK, SOCKET};
use crate::process::move_clock::MoveClock;
use crate::supervisor::config::{Duty, END, KEEPER, KILL};

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
    last_words: Option<Arc<dyn LogSink>>,
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
    pub(crate) fn keep_last_words(&mut self, sink: Arc<dyn LogSink>) {
        self.last_words = Some(sink);
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
