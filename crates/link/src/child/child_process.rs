//! A running child process.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustix::process::Pid;

use super::ending::{EndingChild, LogSink, wait_in_background};
use super::helper_program::helper_program;
use super::one_core;
use super::spawn_request::{SpawnRequest, Work};
use crate::isolation::bot_user::BotUser;
use crate::isolation::control_group;
use crate::isolation::sandbox::Sandbox;
use crate::process::child_end::{ChildEnd, IncompleteReport};
use crate::process::descendants::{descendants, peak_bytes};
#[cfg(target_os = "linux")]
use crate::process::descendants::{processor_demand, processor_time};
use crate::process::inherited::{CLOCK, SOCKET};
use crate::process::move_clock::MoveClock;
use crate::supervisor::config::{END, KILL, SUPERVISOR_ARGUMENT, SupervisorConfig};

/// A running process, with pipes that do not block.
///
/// On drop it is asked to end, with everything that it has started. If the arena ends first, for whatever
/// reason, it is killed.
pub(crate) struct ChildProcess {
    supervisor: Option<std::process::Child>,
    socket: UnixStream,
    /// `None` once it is closed.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: ChildStderr,
    /// The folder of its control group, if it has one.
    group: Option<PathBuf>,
    /// The number of helper processes between the one that was started and the child.
    helpers: usize,
    /// Runs while the child owes an answer.
    clock: Option<MoveClock>,
    is_on_move: bool,
    /// Takes what the child writes to stderr after it was asked to end.
    remaining_log: Option<Arc<dyn LogSink>>,
    /// Kept until it has ended, so that no other child gets it.
    user: Option<BotUser>,
}

impl ChildProcess {
    /// Starts a process.
    ///
    /// # Errors
    /// If no process can be started. If only the command cannot be run, [`Self::wait_for_end`] reports that.
    pub(crate) fn start(request: &SpawnRequest<'_>) -> io::Result<Self> {
        request.sandbox.as_ref().map_or(Ok(()), Sandbox::check_folders)?;
        // It inherits the cores of this thread.
        one_core::leave();
        let (socket, theirs) = UnixStream::pair()?;
        let mut command = Command::new(helper_program()?);
        let is_timed = request.work == Work::Play && request.sandbox.is_some();
        let clock = is_timed.then(MoveClock::new).transpose()?;
        let config = SupervisorConfig {
            memory_mb: request.memory_mb,
            sandbox: request.sandbox.clone(),
            has_clock: clock.is_some(),
            folder: request.folder.to_owned(),
        };
        command.arg(SUPERVISOR_ARGUMENT).args(request.command);
        command.current_dir(request.folder).env_clear().envs(request.environment());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at the terminal is for the arena, which then ends its children in order.
        command.process_group(0);
        let inherited = inherited_descriptors(theirs, clock.as_ref())?;
        command.fd_mappings(inherited).map_err(io::Error::other)?;
        let mut supervisor = command.spawn()?;
        // A supervisor that has ended has reported nothing, which is noticed later.
        let _may_be_gone = config.send(&socket);
        let (stdin, stdout, stderr) =
            (supervisor.stdin.take(), supervisor.stdout.take(), supervisor.stderr.take());
        let stdin = stdin.expect("its input is a pipe");
        let stdout = stdout.expect("its output is a pipe");
        let stderr = stderr.expect("its log is a pipe");
        for pipe in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let groups = request.sandbox.as_ref().and_then(|sandbox| sandbox.groups.as_ref());
        let group = groups.map(|groups| groups.folder_of_child(supervisor.id()));
        Ok(Self {
            group,
            supervisor: Some(supervisor),
            socket,
            stdin: Some(stdin),
            stdout,
            stderr,
            helpers: request.sandbox.as_ref().map_or(0, Sandbox::helpers),
            clock,
            is_on_move: false,
            remaining_log: None,
            user: request.sandbox.as_ref().map(|sandbox| sandbox.user.clone()),
        })
    }

    /// Passes to `sink` what the child writes to stderr after it was asked to end. The sink is dropped when
    /// the child has ended, so that what it owns, such as the working folder, lasts as long.
    pub(crate) fn keep_remaining_log(&mut self, sink: Arc<dyn LogSink>) {
        self.remaining_log = Some(sink);
    }

    /// Its stdin, to poll; `None` once it is closed.
    pub(crate) const fn stdin(&self) -> Option<&ChildStdin> {
        self.stdin.as_ref()
    }

    /// Its stdin, to write to; `None` once it is closed.
    pub(crate) const fn stdin_mut(&mut self) -> Option<&mut ChildStdin> {
        self.stdin.as_mut()
    }

    /// Its stdout, to poll.
    pub(crate) const fn stdout(&self) -> &ChildStdout {
        &self.stdout
    }

    /// Its stdout, to read.
    pub(crate) const fn stdout_mut(&mut self) -> &mut ChildStdout {
        &mut self.stdout
    }

    /// Its stderr, to poll.
    pub(crate) const fn stderr(&self) -> &ChildStderr {
        &self.stderr
    }

    /// Its stderr, to read.
    pub(crate) const fn stderr_mut(&mut self) -> &mut ChildStderr {
        &mut self.stderr
    }

    /// Closes its stdin.
    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// The sum of the peak memory of the child and of its living descendants, in bytes.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.processes().filter_map(peak_bytes).sum()
    }

    /// The child and its living descendants.
    fn processes(&self) -> impl Iterator<Item = Pid> {
        let supervisor = self.supervisor.as_ref().map(Pid::from_child);
        supervisor.map(descendants).unwrap_or_default().into_iter().skip(self.helpers)
    }

    /// Sets whether the child owes an answer.
    pub(crate) fn set_on_move(&mut self, is_on_move: bool) {
        if self.is_on_move != is_on_move {
            self.is_on_move = is_on_move;
            if let Some(clock) = &self.clock {
                if is_on_move {
                    clock.start(one_core::asked());
                } else {
                    clock.stop();
                    one_core::answered();
                }
            }
        }
    }

    /// The child owes several answers at a time, and so may use all cores.
    pub(crate) fn set_several_owed(&self) {
        if let Some(clock) = &self.clock {
            one_core::owes_several();
            clock.leave_core();
        }
    }

    /// Processor time used by the child and its living descendants, with their time in the run queue; `None`
    /// if the system does not report it.
    #[cfg(target_os = "linux")]
    pub(crate) fn processor_demand(&self) -> Option<Duration> {
        let demands: Vec<_> = self.processes().filter_map(processor_demand).collect();
        (!demands.is_empty()).then(|| demands.iter().sum())
    }

    /// Processor time used so far by the child and everything that it has started, ended processes included; `None` if it
    /// has no control group (yet, or any more). It takes some 10 µs.
    pub(crate) fn group_processor_time(&self) -> Option<Duration> {
        control_group::processor_time(self.group.as_deref()?)
    }

    /// Processor time used by the child and its living descendants.
    #[cfg(target_os = "linux")]
    pub(crate) fn processor_time(&self) -> Duration {
        self.processes().filter_map(processor_time).map(|(_, time)| time).sum()
    }

    /// Has the child killed with everything that it has started.
    pub(crate) fn kill(&mut self) {
        let _may_be_gone = self.socket.write_all(&[KILL]);
    }

    /// How it ended, if that is known within `wait`. A supervisor that ends without a report is the arena's error.
    pub(crate) fn wait_for_end(&mut self, wait: Duration) -> Option<ChildEnd> {
        let mut report = String::new();
        self.socket.set_read_timeout(Some(wait.max(Duration::from_millis(1)))).ok()?;
        self.socket.read_to_string(&mut report).ok()?;
        let unexplained =
            || ChildEnd::ArenaError("its supervisor ended without a report".to_owned());
        Some(report.parse().unwrap_or_else(|IncompleteReport| unexplained()))
    }
}

/// What the supervisor inherits besides the standard streams.
fn inherited_descriptors(
    socket: UnixStream,
    clock: Option<&MoveClock>,
) -> io::Result<Vec<FdMapping>> {
    let mut inherited = vec![FdMapping { parent_fd: OwnedFd::from(socket), child_fd: SOCKET }];
    if let Some(clock) = clock {
        let parent_fd = clock.as_fd().try_clone_to_owned()?;
        inherited.push(FdMapping { parent_fd, child_fd: CLOCK });
    }
    Ok(inherited)
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        one_core::leave();
        self.stdin = None;
        let _may_be_gone = self.socket.write_all(&[END]);
        if let Some(supervisor) = self.supervisor.take()
            && let Ok(socket) = self.socket.try_clone()
        {
            let stderr = self.stderr.as_fd().try_clone_to_owned().ok().map(File::from);
            let remaining_log = stderr.zip(self.remaining_log.take());
            let _user = self.user.take();
            let _stdout = self.stdout.as_fd().try_clone_to_owned().ok();
            wait_in_background(EndingChild {
                supervisor,
                _socket: socket,
                _user,
                _stdout,
                remaining_log,
            });
        }
    }
}
