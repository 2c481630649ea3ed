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

use super::allowance::Allowance;
use super::config::{Duty, END, GRACE, KEEPER, TERMINATION};
use super::start::{start_alone, start_init};
use crate::isolation::control_group::ControlGroup;
use crate::isolation::mechanism::Absent;
use crate::isolation::prepare::{Prepared, prepare};
use crate::process::descendants::{descendants, resident_bytes};
use crate::process::ended::{Ended, NoEnd};
use crate::process::inherited::{CLOCK, inherited, let_go_of_the_pipes, open_nothing, socket};
use crate::process::move_clock::MoveClock;

/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// The part of the time, one in so many, in which one may look at what was written.
const PART_FOR_FILES: u32 = 30;

/// Does a keeper's work: `arguments` are its duty and the child's command.
pub(crate) fn keep(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let duty: Option<Duty> =
        arguments.next().and_then(|text| serde_json::from_str(text.to_str()?).ok());
    let (Some(duty), Some(mut socket)) = (duty, socket()) else {
        eprintln!("dicehill {KEEPER} is started by dicehill itself");
        return ExitCode::from(2);
    };
    let arena = getppid();
    let report = if duty.is_full() {
        Ended::Files
    } else {
        let ended = Keeper::start(&socket, &duty, arguments)
            .and_then(|mut keeper| keeper.watch().map_err(Ended::from));
        ended.unwrap_or_else(|not_started| not_started)
    };
    let is_told = socket.write_all(report.to_string().as_bytes()).is_ok();
    if !is_told || is_ending(arena) {
        duty.clear_up();
    }
    ExitCode::SUCCESS
}

/// Whether the arena is ending. While it does it still holds its end of the socket for a moment, and hears nothing; its
/// children's pipes may be closed by then, and the children may have ended for that.
fn is_ending(arena: Option<Pid>) -> bool {
    /// A flag of processes, `PF_EXITING` of the kernel.
    const EXITING: u64 = 4;
    if getppid() != arena {
        return true;
    }
    let stat = arena.map(|arena| format!("/proc/{}/stat", arena.as_raw_nonzero()));
    let stat = stat.and_then(|stat| std::fs::read_to_string(stat).ok()).unwrap_or_default();
    // Behind the name, which may hold anything: state, parent, group, session, terminal, its group, flags.
    let flags = stat.rsplit_once(") ").and_then(|(_, fields)| fields.split(' ').nth(6));
    flags.and_then(|flags| flags.parse::<u64>().ok()).is_some_and(|flags| flags & EXITING != 0)
}

/// What is to happen to the child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Lives,
    /// Its input is closed: it should end by itself, until then.
    Ends(Instant),
    /// It has been asked to terminate, and has time until then.
    Terminates(Instant),
}

struct Keeper<'a> {
    socket: &'a UnixStream,
    /// Becomes readable when a child has ended.
    ended: UnixStream,
    /// The child, or its init.
    child: Pid,
    /// What the init says in the end.
    init: Option<UnixStream>,
    /// The control group of the child, if it has one.
    group: Option<ControlGroup>,
    /// What cannot be had of what was tried before the init.
    absent: Vec<Absent>,
    allowance: Option<Allowance>,
    next_stocktaking: Instant,
    duty: &'a Duty,
    fate: Fate,
}

impl<'a> Keeper<'a> {
    fn start(
        socket: &'a UnixStream,
        duty: &'a Duty,
        command: impl Iterator<Item = OsString>,
    ) -> Result<Self, Ended> {
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(getpid())).map_err(io::Error::from)?;
        let (ended, signals) = UnixStream::pair()?;
        ended.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(signal_hook::consts::SIGCHLD, signals)?;
        let clock = duty.has_clock.then(|| MoveClock::of(inherited(CLOCK))).transpose()?;
        let (child, init, group, absent) = match &duty.room {
            None => (start_alone(command)?, None, None, Vec::new()),
            Some(room) => {
                let Prepared { group, absent } = prepare(room)?;
                let (child, init) = start_init(room, group.as_ref(), command)?;
                (child, Some(init), group, absent)
            }
        };
        let_go_of_the_pipes(&open_nothing()?)?;
        let allowance = clock.map(Allowance::new);
        let (next_stocktaking, fate) = (Instant::now(), Fate::Lives);
        Ok(Self {
            socket,
            ended,
            child,
            init,
            group,
            absent,
            allowance,
            next_stocktaking,
            duty,
            fate,
        })
    }

    /// Waits for the child's end and brings it about when it is time.
    fn watch(&mut self) -> io::Result<Ended> {
        let mut looked = Instant::now();
        loop {
            if let Some(end) = self.reap() {
                kill_everybody();
                return Ok(end);
            }
            match (self.fate, self.asked()) {
                (_, Some(Wish::Kill)) => return Ok(self.kill()),
                (Fate::Lives, Some(Wish::End)) => {
                    self.fate = Fate::Ends(Instant::now() + GRACE);
                    if let Some(allowance) = &mut self.allowance {
                        allowance.end(self.child);
                    }
                }
                (Fate::Ends(until), _) if Instant::now() >= until => {
                    self.terminate();
                    self.fate = Fate::Terminates(Instant::now() + TERMINATION);
                }
                (Fate::Terminates(until), _) if Instant::now() >= until => return Ok(self.kill()),
                (Fate::Lives | Fate::Ends(_) | Fate::Terminates(_), Some(Wish::End) | None) => {}
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                if self.resident_bytes() > self.duty.memory_mb << 20 {
                    self.kill();
                    return Ok(Ended::Memory);
                }
                if let Some(allowance) = &mut self.allowance
                    && !allowance.settle(self.child)
                {
                    return Ok(self.kill());
                }
                if self.has_written_too_much() {
                    self.kill();
                    return Ok(Ended::Files);
                }
            }
            self.wait();
        }
    }

    fn wait(&mut self) {
        let flags = PollFlags::IN;
        // Once the arena is gone its end would always be ready.
        let mut descriptors =
            [PollFd::from_borrowed_fd(self.ended.as_fd(), flags), PollFd::new(self.socket, flags)];
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(LOOK.subsec_nanos()) };
        let _ready = poll(&mut descriptors, Some(&timeout));
        let _drained = self.ended.read(&mut [0; 64]);
    }

    /// What the arena wants, if it has said something. Once it is gone it wants nobody to live.
    fn asked(&mut self) -> Option<Wish> {
        let mut byte = [0];
        match rustix::net::recv(self.socket, &mut byte, rustix::net::RecvFlags::DONTWAIT) {
            Ok((1.., _)) if byte[0] == END => Some(Wish::End),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => None,
            Ok(_) | Err(_) => Some(Wish::Kill),
        }
    }

    /// Collects those who have ended; says how the child did if it was among them.
    fn reap(&mut self) -> Option<Ended> {
        let mut own = None;
        while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
            if pid == self.child {
                own = Some(Ended::of(status));
            }
        }
        let own = own?;
        let Some(init) = &mut self.init else { return Some(own) };
        let mut report = String::new();
        let _whole_or_not = init.read_to_string(&mut report);
        match report.parse() {
            Ok(Ended::Surveyed(later)) => Some(self.surveyed(&later)),
            Ok(ended) => Some(ended),
            Err(NoEnd) if self.has_run_out_of_memory() => Some(Ended::Memory),
            // It was killed, and with it the child.
            Err(NoEnd) => Some(own),
        }
    }

    /// Whether the child's group was ended because it had no memory left.
    fn has_run_out_of_memory(&self) -> bool {
        self.group.as_ref().is_some_and(ControlGroup::has_run_out_of_memory)
    }

    /// What cannot be had, in all.
    fn surveyed(&self, later: &str) -> Ended {
        let mut absent = self.absent.clone();
        absent.extend(serde_json::from_str::<Vec<Absent>>(later).unwrap_or_default());
        Ended::Surveyed(serde_json::to_string(&absent).unwrap_or_default())
    }

    /// Bytes of memory that the child has in use with all that it has started.
    fn resident_bytes(&self) -> u64 {
        let init = self.init.as_ref().map_or(0, |_| resident_bytes(self.child));
        let all: u64 = descendants(getpid()).into_iter().map(resident_bytes).sum();
        all.saturating_sub(init)
    }

    /// Whether there is far more in the child's folders than when it began, as far as there is time to look.
    fn has_written_too_much(&mut self) -> bool {
        let room = self.duty.room.as_ref().filter(|room| !room.writable.is_empty());
        let Some(room) = room else { return false };
        let began = Instant::now();
        if began < self.next_stocktaking {
            return false;
        }
        let mut now = room.stock_now();
        now.add_unnamed(&descendants(self.child), room.bounds.file_bytes);
        self.next_stocktaking = Instant::now() + began.elapsed() * PART_FOR_FILES;
        room.is_exceeded_by(now)
    }

    /// Asks the child to end.
    fn terminate(&self) {
        match &self.init {
            None => {
                let _gone = kill_process_group(self.child, Signal::TERM);
            }
            Some(_) => {
                for pid in descendants(self.child) {
                    let _gone = kill_process(pid, Signal::TERM);
                }
            }
        }
    }

    fn kill(&self) -> Ended {
        if self.init.is_none() {
            let _gone = kill_process_group(self.child, Signal::KILL);
        }
        let _gone = kill_process(self.child, Signal::KILL);
        kill_everybody();
        Ended::Signalled(Signal::KILL.as_raw())
    }
}

enum Wish {
    End,
    Kill,
}

/// Kills and collects all descendants until there is none.
fn kill_everybody() {
    loop {
        for pid in descendants(getpid()) {
            let _gone = kill_process(pid, Signal::KILL);
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
