//! Watches a child until it ends, and ends it when it is time.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getppid, kill_process, kill_process_group,
};

use super::allowance::ProcessorAllowance;
use super::config::{END, GRACE, SUPERVISOR_ARGUMENT, SupervisorConfig, TERMINATION};
use super::disk_check::DiskCheck;
use super::init_connection::InitConnection;
use super::kernel_check::KernelCheck;
use super::mapping_check::MappingCheck;
use super::start::{start_alone, start_init};
use super::two_parts::{NOT_REPORTED, split, wait_for};
use crate::isolation::control_group::ControlGroup;
use crate::isolation::mechanism::MissingMechanism;
use crate::isolation::prepare::{PreparedSandbox, prepare};
use crate::isolation::watcher::drop_privileges;
use crate::process::child_end::{ChildEnd, IncompleteReport};
use crate::process::descendants::{descendants, resident_bytes};
use crate::process::inherited::{
    CLOCK, inherited_socket, open_null, release_standard_streams, take_inherited,
};
use crate::process::move_clock::MoveClock;

/// The interval at which the use of resources is checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Runs a supervisor: `arguments` are the command of the child; the arena sends the [`SupervisorConfig`] on the socket.
pub(crate) fn supervise(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let configured =
        inherited_socket().and_then(|socket| Some((SupervisorConfig::receive(&socket)?, socket)));
    let Some((config, socket)) = configured else {
        eprintln!("dicehill {SUPERVISOR_ARGUMENT} is started by dicehill itself");
        return ExitCode::from(2);
    };
    let arena = getppid();
    let is_reported = if config.changes_user() {
        match split() {
            Ok(None) => {
                let is_reported = start_and_watch(&socket, &config, getppid(), arguments);
                return ExitCode::from(if is_reported { 0 } else { NOT_REPORTED });
            }
            Ok(Some(watcher)) => {
                drop(socket);
                let is_reported = wait_for(watcher);
                config.remove_group(std::process::id());
                is_reported
            }
            Err(error) => report(&socket, &error.into()),
        }
    } else {
        start_and_watch(&socket, &config, None, arguments)
    };
    if !is_reported || is_exiting(arena) {
        config.remove_leftovers();
    }
    ExitCode::SUCCESS
}

/// Starts the child, watches it, and reports how it ended. `parent` is the part that keeps its privileges, if there is
/// one. Returns whether it could be reported to the arena.
fn start_and_watch(
    socket: &UnixStream,
    config: &SupervisorConfig,
    parent: Option<Pid>,
    command: impl Iterator<Item = OsString>,
) -> bool {
    let ended = Supervisor::start(socket, config, parent, command)
        .and_then(|mut supervisor| supervisor.watch().map_err(ChildEnd::from));
    report(socket, &ended.unwrap_or_else(|not_started| not_started))
}

fn report(mut socket: &UnixStream, end: &ChildEnd) -> bool {
    socket.write_all(end.to_string().as_bytes()).is_ok()
}

/// Whether the arena is exiting. Until it has exited, it keeps its end of the socket open without reading;
/// the children's pipes may be closed by then, and children may have ended because of that.
fn is_exiting(arena: Option<Pid>) -> bool {
    /// `PF_EXITING`, a flag of processes in the kernel.
    const EXITING: u64 = 4;
    if getppid() != arena {
        return true;
    }
    let stat = arena.map(|arena| format!("/proc/{}/stat", arena.as_raw_nonzero()));
    let stat = stat.and_then(|stat| std::fs::read_to_string(stat).ok()).unwrap_or_default();
    // The fields after the name, which may contain anything: state, parent, group, session, terminal,
    // foreground group, flags.
    let flags = stat.rsplit_once(") ").and_then(|(_, fields)| fields.split(' ').nth(6));
    flags.and_then(|flags| flags.parse::<u64>().ok()).is_some_and(|flags| flags & EXITING != 0)
}

/// The phases of a child's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Running,
    /// Its stdin is closed: it should exit before this time.
    Closing(Instant),
    /// It received SIGTERM: it should exit before this time.
    Terminating(Instant),
}

struct Supervisor<'a> {
    socket: &'a UnixStream,
    /// Becomes readable when a child process has ended.
    ended: UnixStream,
    /// The child, or its init.
    child: Pid,
    /// The connection to the init, if there is one.
    init: Option<InitConnection>,
    /// The control group of the child, if it has one.
    group: Option<ControlGroup>,
    /// The mechanisms that failed before the init was started, in a probe.
    missing: Vec<MissingMechanism>,
    allowance: Option<ProcessorAllowance>,
    disk_check: DiskCheck,
    mapping_check: MappingCheck,
    kernel_check: KernelCheck,
    config: &'a SupervisorConfig,
    phase: Phase,
}

impl<'a> Supervisor<'a> {
    fn start(
        socket: &'a UnixStream,
        config: &'a SupervisorConfig,
        parent: Option<Pid>,
        command: impl Iterator<Item = OsString>,
    ) -> Result<Self, ChildEnd> {
        let disk_check = DiskCheck::new(config.sandbox.as_ref())?;
        let kernel_check = KernelCheck::new();
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(getpid())).map_err(io::Error::from)?;
        let (child, init, group, missing) = match &config.sandbox {
            None => (start_alone(command)?, None, None, Vec::new()),
            Some(sandbox) => {
                let supervisor = parent.unwrap_or(getpid()).as_raw_nonzero().get().unsigned_abs();
                let PreparedSandbox { group, missing } = prepare(sandbox, supervisor)?;
                let (child, init) = start_init(group.as_ref(), command)?;
                let init = InitConnection::new(init);
                // It sets up the sandbox while this process gives up its privileges.
                init.send(sandbox)?;
                (child, Some(init), group, missing)
            }
        };
        // After the init was copied, which has no use for them. A child that has ended by now is reaped first.
        let (ended, signals) = UnixStream::pair()?;
        ended.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(signal_hook::consts::SIGCHLD, signals)?;
        let clock = config.has_clock.then(|| MoveClock::of(take_inherited(CLOCK))).transpose()?;
        release_standard_streams(&open_null()?)?;
        if let (Some(init), Some(sandbox)) = (&init, &config.sandbox) {
            // An init that is not released ends without having started the child.
            parent.map_or(Ok(()), |parent| drop_privileges(sandbox, parent, child))?;
            init.release();
        }
        let allowance = clock.map(ProcessorAllowance::new);
        let phase = Phase::Running;
        Ok(Self {
            socket,
            ended,
            child,
            init,
            group,
            missing,
            allowance,
            disk_check,
            mapping_check: MappingCheck::new(),
            kernel_check,
            config,
            phase,
        })
    }

    /// Waits for the end of the child, and ends it when it is time.
    fn watch(&mut self) -> io::Result<ChildEnd> {
        let mut last_check = Instant::now();
        loop {
            if let Some(end) = self.reap() {
                kill_descendants();
                return Ok(end);
            }
            match (self.phase, self.requested()) {
                (_, Some(EndRequest::Kill)) => return Ok(self.kill()),
                (Phase::Running, Some(EndRequest::End)) => {
                    self.phase = Phase::Closing(Instant::now() + GRACE);
                    if let Some(allowance) = &mut self.allowance {
                        allowance.end(self.child, self.group.as_ref());
                    }
                }
                (Phase::Closing(until), _) if Instant::now() >= until => {
                    self.terminate();
                    self.phase = Phase::Terminating(Instant::now() + TERMINATION);
                }
                (Phase::Terminating(until), _) if Instant::now() >= until => return Ok(self.kill()),
                (
                    Phase::Running | Phase::Closing(_) | Phase::Terminating(_),
                    Some(EndRequest::End) | None,
                ) => {}
            }
            if !self.keeps_allowance() {
                return Ok(self.kill());
            }
            if last_check.elapsed() >= CHECK_INTERVAL {
                last_check = Instant::now();
                if let Some(end) = self.enforce_limits() {
                    return Ok(end);
                }
            }
            self.wait(last_check + CHECK_INTERVAL);
        }
    }

    /// Kills the child if it exceeds a limit, and returns how it ended then.
    fn enforce_limits(&mut self) -> Option<ChildEnd> {
        let processes = self.processes();
        let resident = processes.iter().copied().map(resident_bytes).sum();
        if resident > self.config.memory_mb << 20 {
            self.kill();
            return Some(ChildEnd::Memory);
        }
        let end = self
            .exceeded_disk_limit()
            .or_else(|| self.exceeded_mappings(&processes))
            .or_else(|| self.exceeded_kernel_memory(&processes, resident))?;
        self.kill();
        Some(end)
    }

    /// Whether the child uses no more processor time than it may, or is stopped; checked when it is time.
    fn keeps_allowance(&mut self) -> bool {
        match &mut self.allowance {
            Some(allowance) if allowance.next_check() <= Instant::now() => {
                allowance.check(self.child, self.group.as_ref())
            }
            Some(_) | None => true,
        }
    }

    /// Waits until something happens or a check is due, at the latest at `next_check`.
    fn wait(&mut self, next_check: Instant) {
        let allowance = self.allowance.as_ref().map(ProcessorAllowance::next_check);
        let until = allowance.map_or(next_check, |check| check.min(next_check));
        let timeout = until.saturating_duration_since(Instant::now());
        let flags = PollFlags::IN;
        // Once the arena is gone, its end of the socket is always ready, which `requested` handles.
        let descriptors = [Some(self.ended.as_fd()), Some(self.socket.as_fd())];
        let init = self.init.as_ref().and_then(InitConnection::as_fd);
        let descriptors = descriptors.into_iter().chain([init]).flatten();
        let mut descriptors: Vec<_> =
            descriptors.map(|descriptor| PollFd::from_borrowed_fd(descriptor, flags)).collect();
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(timeout.subsec_nanos()) };
        let _ready = poll(&mut descriptors, Some(&timeout));
        let of_init = descriptors.get(2).map_or(PollFlags::empty(), PollFd::revents);
        drop(descriptors);
        if let Some(init) = self.init.as_mut().filter(|_| !of_init.is_empty()) {
            init.handle(of_init);
        }
        let _drained = self.ended.read(&mut [0; 64]);
    }

    /// The command of the arena, if there is one. Once the arena is gone, that is to kill.
    fn requested(&mut self) -> Option<EndRequest> {
        let mut byte = [0];
        match rustix::net::recv(self.socket, &mut byte, rustix::net::RecvFlags::DONTWAIT) {
            Ok((1.., _)) if byte[0] == END => Some(EndRequest::End),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => None,
            Ok(_) | Err(_) => Some(EndRequest::Kill),
        }
    }

    /// Reaps processes that have ended; returns how the child ended if it is among them.
    fn reap(&mut self) -> Option<ChildEnd> {
        let mut child_end = None;
        while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
            if pid == self.child {
                child_end = Some(ChildEnd::of_status(status));
            }
        }
        let child_end = child_end?;
        let Some(init) = &mut self.init else { return Some(child_end) };
        match init.report().parse() {
            Ok(ChildEnd::Probed(later)) => Some(self.all_missing(&later)),
            Ok(ended) => Some(ended),
            Err(IncompleteReport) if self.has_run_out_of_memory() => Some(ChildEnd::Memory),
            // The init was killed, and with it the child.
            Err(IncompleteReport) => Some(child_end),
        }
    }

    /// Whether a process was killed because the child's control group was out of memory.
    fn has_run_out_of_memory(&self) -> bool {
        self.group.as_ref().is_some_and(ControlGroup::has_run_out_of_memory)
    }

    /// The missing mechanisms before and in the init.
    fn all_missing(&self, later: &str) -> ChildEnd {
        let mut missing = self.missing.clone();
        missing.extend(serde_json::from_str::<Vec<MissingMechanism>>(later).unwrap_or_default());
        ChildEnd::Probed(serde_json::to_string(&missing).unwrap_or_default())
    }

    /// The child and its descendants, without its init. A runtime has many threads, and each is asked for its children: this
    /// is most of the cost of a look.
    fn processes(&self) -> Vec<Pid> {
        let mut processes = descendants(getpid());
        processes.retain(|pid| self.init.is_none() || *pid != self.child);
        processes
    }

    /// How the child is to end if it is found to have written more to its folders than it may.
    fn exceeded_disk_limit(&mut self) -> Option<ChildEnd> {
        self.disk_check.exceeded(self.config.sandbox.as_ref()?, self.child)
    }

    /// How the child is to end if it is found to have more mappings of memory than it may. Where it has writable folders, they
    /// are read for its disk usage.
    fn exceeded_mappings(&mut self, processes: &[Pid]) -> Option<ChildEnd> {
        let sandbox = self.config.sandbox.as_ref().filter(|sandbox| sandbox.writable.is_empty())?;
        self.mapping_check.exceeded(processes, sandbox.bounds.mappings())
    }

    /// How the child is to end if the kernel is found to hold more for its descriptors than is left of what a control group
    /// would allow; with one, more than the whole of it for what is not charged to it. (The sum of what its processes use is
    /// more than what is charged, as it counts shared pages several times.)
    fn exceeded_kernel_memory(&mut self, processes: &[Pid], resident: u64) -> Option<ChildEnd> {
        let sandbox = self.config.sandbox.as_ref()?;
        let has_group = self.group.as_ref().is_some_and(ControlGroup::limits_memory);
        let used = if has_group { 0 } else { resident };
        let most = sandbox.bounds.group_bytes.saturating_sub(used);
        self.kernel_check.exceeded(processes, has_group, most)
    }

    /// Asks the child to exit.
    fn terminate(&self) {
        match &self.init {
            None => {
                let _may_be_gone = kill_process_group(self.child, Signal::TERM);
            }
            Some(_) => {
                for pid in descendants(self.child) {
                    let _may_be_gone = kill_process(pid, Signal::TERM);
                }
            }
        }
    }

    fn kill(&self) -> ChildEnd {
        if self.init.is_none() {
            let _may_be_gone = kill_process_group(self.child, Signal::KILL);
        }
        let _may_be_gone = kill_process(self.child, Signal::KILL);
        kill_descendants();
        ChildEnd::Signalled(Signal::KILL.as_raw())
    }
}

enum EndRequest {
    End,
    Kill,
}

/// Kills and reaps all descendants until there are none.
fn kill_descendants() {
    loop {
        for pid in descendants(getpid()) {
            let _may_be_gone = kill_process(pid, Signal::KILL);
        }
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
