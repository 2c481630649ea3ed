//! The process beside each child, that ends it with everything it has started.
//!
//! The arena starts its own program again as a keeper, and the keeper starts the child. Between arena
//! and keeper there is a socket at descriptor 3. When the arena asks for it there, the keeper gives
//! the child time to end, then asks it to terminate, then kills it. When the arena is gone, however it
//! ended, or the child uses too much memory, it is killed at once. In the end the keeper kills whatever
//! the child has left behind: orphans become the keeper's own children, wherever they hide. It
//! reports how the child ended and ends itself.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group};

use crate::descendants::{descendants, resident_bytes};

/// The first argument of a program that is to be a keeper.
pub const KEEPER: &str = "--keep";
/// Where the keeper finds its socket.
pub(crate) const SOCKET: i32 = 3;
/// What the arena writes when the child is to end in order.
pub(crate) const END: u8 = b'e';
/// What the arena writes when the child is to be killed.
pub(crate) const KILL: u8 = b'k';

/// How long a child may take to end after its input was closed.
pub(crate) const GRACE: Duration = Duration::from_secs(1);
/// How long it may take when it was asked to terminate.
pub(crate) const TERMINATION: Duration = Duration::from_millis(500);
/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Does a keeper's work: `arguments` are the memory limit in mebibytes and the child's command.
pub fn keep(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let limit = arguments.next().and_then(|text| text.to_str()?.parse::<u64>().ok());
    let program = arguments.next();
    let (Some(limit), Some(program)) = (limit, program) else {
        eprintln!("dicehill {KEEPER} is started by dicehill itself");
        return ExitCode::from(2);
    };
    let Some(mut socket) = socket() else {
        eprintln!("dicehill {KEEPER} is started by dicehill itself");
        return ExitCode::from(2);
    };
    let ended = Keeper::start(&socket, &program, arguments, limit << 20)
        .and_then(|mut keeper| keeper.watch());
    let report = match ended {
        Ok(end) => end.to_string(),
        Err(error) => format!("start {error}"),
    };
    // Nobody may be there to read it.
    let _told = socket.write_all(report.as_bytes());
    ExitCode::SUCCESS
}

/// The socket that the arena has left at its descriptor, hidden from the child.
fn socket() -> Option<UnixStream> {
    let is_open = std::fs::symlink_metadata(format!("/dev/fd/{SOCKET}")).is_ok();
    if !is_open {
        return None;
    }
    #[expect(unsafe_code, reason = "a descriptor that was inherited can be had in no other way")]
    // SAFETY: the descriptor is open, as has just been seen, and nothing else in this process, which
    // has one thread and has opened nothing yet, owns it.
    let owned = unsafe { OwnedFd::from_raw_fd(SOCKET) };
    rustix::io::fcntl_setfd(&owned, rustix::io::FdFlags::CLOEXEC).ok()?;
    Some(UnixStream::from(owned))
}

/// How a child came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Exited(i32),
    Signalled(i32),
    Memory,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(status) => write!(f, "exit {status}"),
            Self::Signalled(signal) => write!(f, "signal {signal}"),
            Self::Memory => write!(f, "memory"),
        }
    }
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
    child: Pid,
    limit: u64,
    fate: Fate,
}

impl<'a> Keeper<'a> {
    fn start(
        socket: &'a UnixStream,
        program: &OsString,
        arguments: impl Iterator<Item = OsString>,
        limit: u64,
    ) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let (ended, signals) = UnixStream::pair()?;
        ended.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(signal_hook::consts::SIGCHLD, signals)?;
        let child = Command::new(program).args(arguments).process_group(0).spawn()?;
        let child = Pid::from_child(&child);
        let_go_of_the_pipes()?;
        Ok(Self { socket, ended, child, limit, fate: Fate::Lives })
    }

    /// Waits for the child's end and brings it about when it is time.
    fn watch(&mut self) -> io::Result<End> {
        let mut looked = Instant::now();
        loop {
            if let Some(end) = self.reap() {
                kill_everybody();
                return Ok(end);
            }
            match (self.fate, self.asked()) {
                (_, Some(Wish::Kill)) => return Ok(self.kill()),
                (Fate::Lives, Some(Wish::End)) => self.fate = Fate::Ends(Instant::now() + GRACE),
                (Fate::Ends(until), _) if Instant::now() >= until => {
                    let _gone = kill_process_group(self.child, Signal::TERM);
                    self.fate = Fate::Terminates(Instant::now() + TERMINATION);
                }
                (Fate::Terminates(until), _) if Instant::now() >= until => return Ok(self.kill()),
                (Fate::Lives | Fate::Ends(_) | Fate::Terminates(_), Some(Wish::End) | None) => {}
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                if resident_bytes() > self.limit {
                    self.kill();
                    return Ok(End::Memory);
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

    /// What the arena wants, if it has said something; without an arena, that all be over.
    fn asked(&mut self) -> Option<Wish> {
        let mut byte = [0];
        match rustix::net::recv(self.socket, &mut byte, rustix::net::RecvFlags::DONTWAIT) {
            Ok((1.., _)) if byte[0] == END => Some(Wish::End),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => None,
            Ok(_) | Err(_) => Some(Wish::Kill),
        }
    }

    /// Collects those who have ended; says how the child did if it was among them.
    fn reap(&self) -> Option<End> {
        let mut own = None;
        while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
            if pid == self.child {
                own = Some(end_of(status));
            }
        }
        own
    }

    fn kill(&self) -> End {
        let _gone = kill_process_group(self.child, Signal::KILL);
        let _gone = kill_process(self.child, Signal::KILL);
        kill_everybody();
        End::Signalled(Signal::KILL.as_raw())
    }
}

enum Wish {
    End,
    Kill,
}

fn end_of(status: WaitStatus) -> End {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Signalled(signal.unwrap_or(0)),
    }
}

/// The child alone holds its ends of the pipes: the arena sees when it closes them.
fn let_go_of_the_pipes() -> io::Result<()> {
    let nothing = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    Ok(())
}

/// Kills and collects all descendants until there is none.
fn kill_everybody() {
    loop {
        for pid in descendants(rustix::process::getpid()) {
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
