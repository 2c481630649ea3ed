//! One attempt of an attack: started, heard, checked from outside, ended.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpStream};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

use dicehill_arena::{Wishes, wait};
use rustix::process::{Pid, Signal, kill_process};

use super::attack::{ATTACK, Attack, Proof};
use super::decoy::{Bait, Cell};
use super::outcome::{Outcome, reason};
use super::resources::{FILLED, LARGEST_FILE_MB};
use super::target::mark;
use crate::child::child_process::Child;
use crate::child::probe::sandbox;
use crate::child::spawn_request::{Launch, Work};
use crate::files::ownership::give;
use crate::isolation::bot_user::next_user;
use crate::isolation::limits::Bounds;
use crate::isolation::sandbox::{Isolation, Room};
use crate::process::ended::Ended;

/// The longest that an attack may take to say how it came out. All but a few take a thousandth of it, where the machine is
/// not busy.
const LONGEST: Duration = Duration::from_secs(20);

/// The longest that its end may take.
const END: Duration = Duration::from_secs(10);

/// How long one waits for what has happened already.
const AT_ONCE: Duration = Duration::from_millis(1);

/// How long what it leaves behind may take to go.
const GONE: Duration = Duration::from_millis(300);

/// How often an attack is tried in all that a busy machine can make look open.
const TRIES: u32 = 3;

/// Mebibytes that an attack may use.
const MEMORY_MB: u64 = 64;

/// The same where not the memory is attacked, which many processes would use up first.
const PLENTY_MB: u64 = 1024;

/// The bytes of disk without which it is not filled.
const SPACE: u64 = 1 << 30;

/// How long a spinning thread may spin before it is looked at, and how long it is looked at.
const FIRST_MOMENTS: Duration = Duration::from_millis(300);

const LOOKED_AT: Duration = Duration::from_millis(500);

/// How long it is looked at again and again, until it stops or has used more than it may.
const LONGEST_LOOK: Duration = Duration::from_secs(40);

/// The share of a core that is too much when nobody asks anything.
const TOO_MUCH: f64 = 0.25;

/// Seconds of a processor that are certainly more than it may use at first, and more in each second after that. The
/// allowance is three quarters of a second, and a tenth.
const TOO_MUCH_AT_FIRST: f64 = 2.0;

const TOO_MUCH_LATER: f64 = 0.1;

/// Lets an attack be tried by a process that is started as a bot is.
///
/// What a busy machine can make look open is tried up to three times, and is open only if each try says so.
#[must_use]
pub fn attempt(attack: &Attack, bait: &Bait, isolation: Isolation) -> Outcome {
    let tries = if attack.can_mislead(isolation) { TRIES } else { 1 };
    unless_open_each_time(tries, || attempt_once(attack, bait, isolation))
}

/// The first outcome that is not open, or the last one.
fn unless_open_each_time(tries: u32, mut attempt: impl FnMut() -> Outcome) -> Outcome {
    let mut outcome = attempt();
    for _ in 1..tries {
        if matches!(outcome, Outcome::Contained(_) | Outcome::Unknown(_)) {
            break;
        }
        outcome = attempt();
    }
    outcome
}

fn attempt_once(attack: &Attack, bait: &Bait, isolation: Isolation) -> Outcome {
    let outcome = Attempt::start(attack, bait, isolation).and_then(Attempt::finish);
    for place in attack.places() {
        // Mostly there is none.
        let _gone = fs::remove_file(place);
    }
    outcome.unwrap_or_else(|error| Outcome::Unknown(reason(&error)))
}

impl Attack {
    fn memory_mb(&self) -> u64 {
        let is_on_memory = self.name.starts_with("memory");
        if is_on_memory || self.proof != Proof::End { MEMORY_MB } else { PLENTY_MB }
    }

    /// Whether it can look open where something contains it. Memory is looked at now and then, and a process that was
    /// left behind takes a moment to end: on a busy machine both may come too late. Another program may listen at the port that an
    /// attack was given where nobody else sees it. All other attacks are answered by the kernel, whatever else it has to
    /// do, and what is open once is open.
    fn can_mislead(&self, isolation: Isolation) -> bool {
        match self.proof {
            Proof::Survivor => true,
            Proof::Port => isolation == Isolation::On,
            Proof::End => ["memory", "memory-processes"].contains(&self.name),
            Proof::Word
            | Proof::File(_)
            | Proof::Message
            | Proof::Descriptor
            | Proof::Space
            // It is looked at until it is clear.
            | Proof::Processor => false,
        }
    }

    /// The longest that it may take to say how it came out. A disk may be slow.
    fn longest(&self) -> Duration {
        if self.proof == Proof::Space { 2 * LONGEST } else { LONGEST }
    }

    /// The files that it may have made.
    fn places(&self) -> impl Iterator<Item = std::path::PathBuf> {
        let folders = if let Proof::File(folders) = self.proof { folders } else { &[] };
        let mark = mark(rustix::process::getpid().as_raw_nonzero().get());
        folders.iter().map(move |folder| Path::new(folder).join(&mark))
    }
}

/// The one place where an attacking process is started.
fn start(
    command: &[OsString],
    folder: &Path,
    memory_mb: u64,
    isolation: Isolation,
) -> io::Result<Child> {
    let room = match isolation {
        Isolation::Off => None,
        Isolation::On => {
            let user = next_user();
            give(folder, user)?;
            let bounds = Bounds::of_bot(memory_mb);
            let writable = vec![folder.to_owned()];
            Some(Room { writable, ..sandbox(folder.to_owned(), user, bounds) })
        }
    };
    let work = Work::Play;
    Child::start(&Launch { command, folder, memory_mb, room, work, cargo_home: None })
}

/// An attack under way.
struct Attempt<'a> {
    attack: &'a Attack,
    bait: &'a Bait,
    isolation: Isolation,
    child: Child,
    cell: Cell,
}

impl<'a> Attempt<'a> {
    fn start(attack: &'a Attack, bait: &'a Bait, isolation: Isolation) -> io::Result<Self> {
        let cell = bait.cell(attack.name)?;
        if attack.proof == Proof::Space && free_bytes(cell.path())? < SPACE {
            return Err(io::Error::other("there is too little space to try it"));
        }
        let open =
            matches!(attack.proof, Proof::Descriptor).then(|| bait.left_open()).transpose()?;
        let memory_mb = attack.memory_mb();
        let mut command = vec!["./dicehill".into(), ATTACK.into(), attack.name.into()];
        command.extend(bait.target(memory_mb)?.words());
        let child = start(&command, cell.path(), memory_mb, isolation)?;
        drop(open);
        Ok(Self { attack, bait, isolation, child, cell })
    }

    /// Hears it, checks what it says and ends it.
    fn finish(mut self) -> io::Result<Outcome> {
        let line =
            self.first_line(self.bait.until().min(Instant::now() + self.attack.longest()))?;
        let outcome = match line.as_deref().map(Outcome::read) {
            None => self.by_its_end(),
            Some(None) => Outcome::Unknown("it said something else".to_owned()),
            Some(Some(Outcome::Open(what))) => self.checked(what),
            Some(Some(other)) => other,
        };
        self.child.kill();
        let _end = self.child.ended(END);
        if self.attack.proof == Proof::Survivor && matches!(outcome, Outcome::Open(_)) {
            return Ok(after_its_end(self.bait.word()));
        }
        Ok(outcome)
    }

    /// What it says, if it says something in time.
    fn first_line(&mut self, until: Instant) -> io::Result<Option<String>> {
        let mut said = Vec::new();
        while !said.contains(&b'\n') {
            if Instant::now() >= until {
                return Ok(None);
            }
            let output = Some(self.child.output().as_fd());
            wait([Wishes { output, deadline: Some(until), ..Wishes::default() }]);
            let mut bytes = [0; 512];
            match self.child.stdout().read(&mut bytes) {
                Ok(0) => return Ok(None),
                Ok(got) => said.extend(&bytes[..got]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some(String::from_utf8_lossy(&said).into_owned()))
    }

    /// What its end means, where it has said nothing.
    fn by_its_end(&mut self) -> Outcome {
        let is_meant = matches!(self.attack.proof, Proof::End | Proof::Space);
        match self.child.ended(END) {
            Some(Ended::Memory) if is_meant => Outcome::Contained("ended for its memory".into()),
            Some(Ended::Signalled(libc::SIGSYS)) => Outcome::Contained("ended by seccomp".into()),
            Some(Ended::Signalled(signal)) if is_meant => {
                Outcome::Contained(format!("ended by signal {signal}"))
            }
            Some(Ended::Files) if is_meant => Outcome::Contained("ended for its files".into()),
            Some(Ended::Files) => Outcome::Unknown("it was ended for its files".into()),
            Some(Ended::Surveyed(_)) => Outcome::Unknown("it was not started".into()),
            Some(Ended::Memory) => Outcome::Unknown("it was ended for its memory".into()),
            Some(Ended::Signalled(signal)) => {
                Outcome::Unknown(format!("it ended by signal {signal}"))
            }
            Some(Ended::Exited(status)) => {
                Outcome::Unknown(format!("it ended with status {status}"))
            }
            Some(Ended::NotStarted(why) | Ended::ArenaError(why)) => {
                Outcome::Unknown(format!("it cannot be started: {why}"))
            }
            None => Outcome::Unknown("it said nothing in time".into()),
        }
    }

    /// Whether what it says it got can be seen from outside.
    fn checked(&mut self, what: String) -> Outcome {
        let is_so = match self.attack.proof {
            Proof::Word | Proof::End | Proof::Descriptor | Proof::Survivor => true,
            Proof::File(_) => self.attack.places().any(|place| place.exists()),
            Proof::Port => return reached(&what),
            Proof::Message => self.bait.has_message(),
            Proof::Space => {
                let meta = fs::metadata(self.cell.path().join(FILLED));
                meta.is_ok_and(|meta| meta.len() > LARGEST_FILE_MB << 20)
            }
            Proof::Processor => return self.off_move(),
        };
        if is_so { Outcome::Open(what) } else { Outcome::Contained("nobody else sees it".into()) }
    }

    /// How much of the processor it wants and may have while nobody asks it anything. That it stands in
    /// line counts too: a busy machine contains nothing. What it had saved up it may use first, which takes
    /// longer on a busy machine, and is no breach until it has used more.
    fn off_move(&mut self) -> Outcome {
        let began = Instant::now();
        std::thread::sleep(FIRST_MOMENTS);
        while began.elapsed() < LONGEST_LOOK {
            let Some(share) = self.share_of_a_core() else {
                return match self.child.ended(AT_ONCE) {
                    Some(_) => Outcome::Contained("it was ended".into()),
                    None => Outcome::Unknown("the system does not tell what it uses".into()),
                };
            };
            let words = format!("it wants {:.0} % of a core", 100.0 * share);
            if share < TOO_MUCH {
                return Outcome::Contained(words);
            }
            if self.isolation == Isolation::Off || self.has_used_too_much(began.elapsed()) {
                return Outcome::Open(words);
            }
        }
        Outcome::Unknown("this machine is too busy for it to use what it may".into())
    }

    /// What it wants of a processor for a moment, as a share; nothing if the system does not tell.
    fn share_of_a_core(&self) -> Option<f64> {
        let (began, before) = (Instant::now(), self.child.processor_demand()?);
        std::thread::sleep(LOOKED_AT);
        let demand = self.child.processor_demand()?.saturating_sub(before);
        Some(demand.as_secs_f64() / began.elapsed().as_secs_f64())
    }

    /// Whether it has had more of the processors than it may in this time.
    fn has_used_too_much(&self, time: Duration) -> bool {
        let most = TOO_MUCH_AT_FIRST + TOO_MUCH_LATER * time.as_secs_f64();
        self.child.processor_time().as_secs_f64() > most
    }
}

/// Whether somebody listens at this port where we are.
fn reached(port: &str) -> Outcome {
    let connected = port.parse().map(|port: u16| TcpStream::connect((Ipv4Addr::LOCALHOST, port)));
    match connected {
        Ok(Ok(_)) => Outcome::Open("it is reached from outside".into()),
        Ok(Err(_)) => Outcome::Contained("nobody else reaches it".into()),
        Err(_) => Outcome::Unknown("it said something else".into()),
    }
}

/// Whether something of an attack lives on; if so, it is ended now.
fn after_its_end(word: &Path) -> Outcome {
    let until = Instant::now() + GONE;
    loop {
        let living = attackers(word);
        if living.is_empty() {
            return Outcome::Contained("it is gone".into());
        }
        if Instant::now() >= until {
            for pid in living {
                let _gone = kill_process(pid, Signal::KILL);
            }
            return Outcome::Open("it lives on".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The processes that carry out attacks and whose command line has this word.
fn attackers(word: &Path) -> Vec<Pid> {
    let word = word.as_os_str().as_encoded_bytes();
    let is_one = |pid: &Pid| {
        let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
        let has = |part: &[u8]| line.windows(part.len()).any(|piece| piece == part);
        has(word) && line.starts_with(b"./dicehill\0--attack\0")
    };
    let number = |entry: io::Result<fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse().ok();
    let numbers = fs::read_dir("/proc").into_iter().flatten().filter_map(number);
    numbers.filter_map(Pid::from_raw).filter(is_one).collect()
}

fn free_bytes(folder: &Path) -> io::Result<u64> {
    let space = rustix::fs::statvfs(folder)?;
    Ok(space.f_bavail * space.f_frsize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::ATTACKS;

    fn check_tries(outcomes: &[Outcome], expected: &Outcome, tried: usize) {
        let mut left = outcomes.iter();
        let outcome = unless_open_each_time(TRIES, || left.next().expect("three at most").clone());
        assert_eq!((&outcome, outcomes.len() - left.len()), (expected, tried));
    }

    #[test]
    fn it_is_open_only_if_each_try_says_so() {
        let open = || Outcome::Open("too late".to_owned());
        let [contained, unknown] =
            [Outcome::Contained("ended".to_owned()), Outcome::Unknown("busy".to_owned())];
        check_tries(&[open(), open(), open()], &open(), 3);
        check_tries(&[open(), open(), contained.clone()], &contained, 3);
        check_tries(&[open(), contained.clone()], &contained, 2);
        check_tries(&[contained.clone(), open()], &contained, 1);
        check_tries(&[open(), unknown.clone()], &unknown, 2);
    }

    #[test]
    fn what_is_clear_at_once_is_tried_once() {
        let misleading = |isolation| -> Vec<_> {
            let attacks = ATTACKS.iter().filter(|attack| attack.can_mislead(isolation));
            attacks.map(|attack| attack.name).collect()
        };
        let by_time = ["daemon", "memory", "memory-processes"];
        assert_eq!(misleading(Isolation::Off), by_time);
        assert_eq!(misleading(Isolation::On), [&["tcp-listen"][..], &by_time].concat());
    }
}
