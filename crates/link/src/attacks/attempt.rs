//! One attempt of an attack: started, heard, checked from outside, ended.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use dicehill_arena::PollInterest;
use rustix::process::{Pid, Signal, kill_process};

use super::attack::{ATTACK_ARGUMENT, Attack, Proof};
use super::decoy::{AttackFolder, Decoy};
use super::outcome::AttackOutcome;
use super::relays::RelayedTime;
use super::resources::{FILLED, MAX_FILE_MB};
use super::target::mark;
use crate::child::child_process::ChildProcess;
use crate::child::probe::{sandbox_around, sandbox_user};
use crate::child::spawn_request::{SpawnRequest, Work};
use crate::child::wait::wait_for_one;
use crate::files::ownership::hand_over;
use crate::isolation::limits::ResourceLimits;
use crate::isolation::mode::{Isolation, NetworkAccess};
use crate::isolation::sandbox::Sandbox;
use crate::process::child_end::ChildEnd;
use crate::process::disk_usage::DiskUsage;
use crate::process::error_text::error_text;

/// The longest that an attack may take to report its outcome. Almost all take a thousandth of it on an idle
/// machine.
const LONGEST: Duration = Duration::from_secs(20);

/// The longest that the attacking process may take to end.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// The wait for something that has already happened.
const AT_ONCE: Duration = Duration::from_millis(1);

/// The longest that processes left behind may take to end.
const MAX_SURVIVAL: Duration = Duration::from_millis(300);

/// Attempts of an attack that a busy machine can make look open.
const TRIES: u32 = 3;

/// Attacks that are ended by a check, which may come too late.
const TESTED_BY_CHECKS: [&str; 7] = [
    "memory",
    "memory-processes",
    "memory-sockets",
    "memory-epoll",
    "memory-folders",
    "memory-maps",
    "mappings",
];

/// Mebibytes of memory of an attacking process.
const MEMORY_MB: u64 = 64;

/// The same for attacks that are not on memory but start many processes.
const LARGE_MEMORY_MB: u64 = 2048;

/// Free bytes on the disk below which the attack that fills it is not tried.
const MIN_FREE_BYTES: u64 = 1 << 30;

/// How long spinning threads run before they are measured, and how long a measurement takes.
const WARM_UP: Duration = Duration::from_millis(300);

const MEASUREMENT: Duration = Duration::from_millis(500);

/// How long measurements are repeated until the threads stop or have used more than their allowance.
const MEASURING_TIMEOUT: Duration = Duration::from_secs(40);

/// The share of a core that is too much while no answer is owed.
const TOO_MUCH: f64 = 0.25;

/// Seconds of processor time that are certainly more than the allowance at the start, and the increase per
/// second. The allowance is 0.75 s, and 0.1 s per second.
const TOO_MUCH_AT_FIRST: f64 = 2.0;

const TOO_MUCH_LATER: f64 = 0.1;

/// Has an attack tried by a process that is started as a bot is. A sandboxed one has this access to the network; without
/// isolation it has the host's.
///
/// An attack that a busy machine can make look open is tried up to three times, and is open only if every
/// attempt is.
#[must_use]
pub fn attempt(
    attack: &Attack,
    decoy: &Decoy,
    isolation: Isolation,
    network: NetworkAccess,
) -> AttackOutcome {
    let tries = if attack.can_mislead(isolation) { TRIES } else { 1 };
    first_not_open(tries, || attempt_once(attack, decoy, isolation, network))
}

/// The first outcome that is not open, else the last one with the number of attempts.
fn first_not_open(tries: u32, mut attempt: impl FnMut() -> AttackOutcome) -> AttackOutcome {
    let mut outcome = attempt();
    for _ in 1..tries {
        if !matches!(outcome, AttackOutcome::Open(_)) {
            return outcome;
        }
        outcome = attempt();
    }
    match outcome {
        AttackOutcome::Open(what) if tries > 1 => {
            AttackOutcome::Open(format!("{what}, in each of {tries} attempts"))
        }
        AttackOutcome::Open(_) | AttackOutcome::Contained(_) | AttackOutcome::Unknown(_) => outcome,
    }
}

fn attempt_once(
    attack: &Attack,
    decoy: &Decoy,
    isolation: Isolation,
    network: NetworkAccess,
) -> AttackOutcome {
    let outcome = Attempt::start(attack, decoy, isolation, network).and_then(Attempt::finish);
    for place in attack.places() {
        // Most attacks create none.
        let _may_be_gone = fs::remove_file(place);
    }
    outcome.unwrap_or_else(|error| AttackOutcome::Unknown(error_text(&error)))
}

impl Attack {
    fn memory_mb(&self) -> u64 {
        let starts_many = matches!(self.proof, Proof::End | Proof::Hoard | Proof::RelayedProcessor);
        let is_large = starts_many && !self.name.starts_with("memory");
        if is_large { LARGE_MEMORY_MB } else { MEMORY_MB }
    }

    /// Whether a busy machine can make it look open although it is contained. Memory is checked at intervals,
    /// and a process that was left behind takes a moment to end: both checks may come too late. In a network
    /// namespace, another program may listen at the same port number. All other attacks are answered by the
    /// kernel at once, so one open attempt is proof.
    fn can_mislead(&self, isolation: Isolation) -> bool {
        match self.proof {
            Proof::Survivor => true,
            // Disk usage is measured less often the longer that takes.
            Proof::Hoard => isolation == Isolation::On,
            Proof::Port => isolation == Isolation::On,
            Proof::End => TESTED_BY_CHECKS.contains(&self.name),
            Proof::Word
            | Proof::File(_)
            | Proof::Message
            | Proof::Descriptor
            | Proof::Space
            // Measured repeatedly until the result is clear.
            | Proof::Processor
            | Proof::RelayedProcessor => false,
        }
    }

    /// Whether its folder is read-only, as under `memory = "game"`: a writable one has further limits.
    fn is_read_only(&self) -> bool {
        self.name == "mappings"
    }

    /// The longest that it may take to report its outcome. A disk may be slow, and on a loaded machine it takes long until so
    /// much is held that a check has to end it.
    fn longest(&self) -> Duration {
        if TESTED_BY_CHECKS.contains(&self.name) {
            6 * LONGEST
        } else if self.needs_space() {
            2 * LONGEST
        } else {
            LONGEST
        }
    }

    fn needs_space(&self) -> bool {
        matches!(self.proof, Proof::Space | Proof::Hoard)
    }

    /// The files that it may have created.
    fn places(&self) -> impl Iterator<Item = std::path::PathBuf> {
        let folders = if let Proof::File(folders) = self.proof { folders } else { &[] };
        let mark = mark(rustix::process::getpid().as_raw_nonzero().get());
        folders.iter().map(move |folder| Path::new(folder).join(&mark))
    }
}

/// Starts an attacking process.
fn start(
    command: &[OsString],
    folder: &Path,
    attack: &Attack,
    isolation: Isolation,
    network: NetworkAccess,
) -> io::Result<ChildProcess> {
    let memory_mb = attack.memory_mb();
    let sandbox = match isolation {
        Isolation::Off => None,
        Isolation::On => {
            let user = sandbox_user(isolation);
            hand_over(folder, user.number())?;
            let bounds = ResourceLimits::of_bot(memory_mb);
            let writable = if attack.is_read_only() { Vec::new() } else { vec![folder.to_owned()] };
            // The program that attacks is there already, and is not small in builds for tests.
            let initial_usage = DiskUsage::of([folder]);
            let around = sandbox_around(folder.to_owned(), user, bounds);
            Some(Sandbox { writable, initial_usage, network, ..around })
        }
    };
    let work = Work::Play;
    ChildProcess::start(&SpawnRequest {
        command,
        folder,
        memory_mb,
        sandbox,
        work,
        cargo_home: None,
        secrets: &[],
    })
}

/// A running attempt.
struct Attempt<'a> {
    attack: &'a Attack,
    decoy: &'a Decoy,
    isolation: Isolation,
    child: ChildProcess,
    attack_folder: AttackFolder,
    /// What its relays have reported so far.
    relayed: RelayedTime,
}

impl<'a> Attempt<'a> {
    fn start(
        attack: &'a Attack,
        decoy: &'a Decoy,
        isolation: Isolation,
        network: NetworkAccess,
    ) -> io::Result<Self> {
        let attack_folder = decoy.attack_folder(attack.name)?;
        if attack.needs_space() && free_bytes(attack_folder.path())? < MIN_FREE_BYTES {
            return Err(io::Error::other("there is too little space to try it"));
        }
        let open =
            matches!(attack.proof, Proof::Descriptor).then(|| decoy.left_open()).transpose()?;
        let memory_mb = attack.memory_mb();
        let mut command = vec!["./dicehill".into(), ATTACK_ARGUMENT.into(), attack.name.into()];
        command.extend(decoy.target(memory_mb)?.words());
        let child = start(&command, attack_folder.path(), attack, isolation, network)?;
        drop(open);
        let relayed = RelayedTime::default();
        Ok(Self { attack, decoy, isolation, child, attack_folder, relayed })
    }

    /// Waits for its report, checks it, and ends it.
    fn finish(mut self) -> io::Result<AttackOutcome> {
        // It owes its report, as a bot an answer: on a slow machine its start alone takes more than the allowance.
        self.child.set_on_move(true);
        let until = self.decoy.until().min(Instant::now() + self.attack.longest());
        let line = self.first_line(until)?;
        self.child.set_on_move(false);
        let outcome = match line.as_deref().map(AttackOutcome::read) {
            None => self.outcome_of_end(),
            Some(None) => AttackOutcome::Unknown("it said something else".to_owned()),
            Some(Some(AttackOutcome::Open(what))) => self.checked(what),
            Some(Some(other)) => other,
        };
        self.child.kill();
        let _end = self.child.wait_for_end(END_TIMEOUT);
        if self.attack.proof == Proof::Survivor && matches!(outcome, AttackOutcome::Open(_)) {
            return Ok(outcome_of_survivors(self.decoy.command_line_word()));
        }
        Ok(outcome)
    }

    /// The first line that it prints before `until`, if any.
    fn first_line(&mut self, until: Instant) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        while !line.contains(&b'\n') {
            if Instant::now() >= until {
                return Ok(None);
            }
            wait_for_one(PollInterest {
                stdout: Some(self.child.stdout()),
                deadline: Some(until),
                ..PollInterest::default()
            });
            let mut bytes = [0; 512];
            match self.child.stdout_mut().read(&mut bytes) {
                Ok(0) => return Ok(None),
                Ok(got) => line.extend(&bytes[..got]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }

    /// What its end means if it reported nothing.
    fn outcome_of_end(&mut self) -> AttackOutcome {
        let is_expected = matches!(self.attack.proof, Proof::End | Proof::Space | Proof::Hoard);
        match self.child.wait_for_end(END_TIMEOUT) {
            Some(ChildEnd::Memory) if is_expected => {
                AttackOutcome::Contained("ended for its memory".into())
            }
            Some(ChildEnd::Signalled(libc::SIGSYS)) => {
                AttackOutcome::Contained("ended by seccomp".into())
            }
            Some(ChildEnd::Signalled(signal)) if is_expected => {
                AttackOutcome::Contained(format!("ended by signal {signal}"))
            }
            Some(ChildEnd::Mappings) if is_expected => {
                AttackOutcome::Contained("ended for its mappings of memory".into())
            }
            Some(ChildEnd::KernelMemory) if is_expected => {
                AttackOutcome::Contained("ended for the kernel's memory".into())
            }
            Some(ChildEnd::Files | ChildEnd::HiddenFiles) if is_expected => {
                AttackOutcome::Contained("ended for its files".into())
            }
            Some(ChildEnd::Files | ChildEnd::HiddenFiles) => {
                AttackOutcome::Unknown("it was ended for its files".into())
            }
            Some(ChildEnd::Mappings) => {
                AttackOutcome::Unknown("it was ended for its mappings of memory".into())
            }
            Some(ChildEnd::KernelMemory) => {
                AttackOutcome::Unknown("it was ended for the kernel's memory".into())
            }
            Some(ChildEnd::Probed(_)) => AttackOutcome::Unknown("it was not started".into()),
            Some(ChildEnd::Memory) => AttackOutcome::Unknown("it was ended for its memory".into()),
            Some(ChildEnd::Signalled(signal)) => {
                AttackOutcome::Unknown(format!("it ended by signal {signal}"))
            }
            Some(ChildEnd::Exited(status)) => {
                AttackOutcome::Unknown(format!("it ended with status {status}"))
            }
            Some(ChildEnd::NotStarted(why) | ChildEnd::ArenaError(why)) => {
                AttackOutcome::Unknown(format!("it cannot be started: {why}"))
            }
            None => AttackOutcome::Unknown("it said nothing in time".into()),
        }
    }

    /// Whether the reported success can be observed from outside.
    fn checked(&mut self, what: String) -> AttackOutcome {
        let is_confirmed = match self.attack.proof {
            Proof::Word | Proof::End | Proof::Hoard | Proof::Descriptor | Proof::Survivor => true,
            Proof::File(_) => self.attack.places().any(|place| place.exists()),
            Proof::Port => return reached(&what),
            Proof::Message => self.decoy.has_message(),
            Proof::Space => {
                let meta = fs::metadata(self.attack_folder.path().join(FILLED));
                meta.is_ok_and(|meta| meta.len() > MAX_FILE_MB << 20)
            }
            Proof::Processor | Proof::RelayedProcessor => return self.measure_off_move(),
        };
        if is_confirmed {
            AttackOutcome::Open(what)
        } else {
            AttackOutcome::Contained("no other process sees it".into())
        }
    }

    /// Measures how much processor time it demands and gets while no answer is owed. Time in the run queue
    /// counts, so that a busy machine does not look like a defence. It may use its savings first, which takes
    /// longer on a busy machine, so that only more than its allowance is a breach. What its start has used does not count:
    /// then it was on the move.
    fn measure_off_move(&mut self) -> AttackOutcome {
        let (began, at_first) = (Instant::now(), self.used());
        std::thread::sleep(WARM_UP);
        loop {
            let Some(share) = self.share_of_a_core() else {
                return match self.child.wait_for_end(AT_ONCE) {
                    Some(ChildEnd::ArenaError(why)) => AttackOutcome::Unknown(why),
                    Some(end) => AttackOutcome::Contained(format!("it was ended: {end}")),
                    None => AttackOutcome::Unknown("the system does not tell what it uses".into()),
                };
            };
            let time = began.elapsed();
            let used = most_used(at_first, self.used());
            let measured = measured(share, used, time);
            if share < TOO_MUCH {
                return AttackOutcome::Contained(measured);
            }
            if self.isolation == Isolation::Off || is_too_much(used, time) {
                return AttackOutcome::Open(measured);
            }
            if time >= MEASURING_TIMEOUT {
                let why = "this machine is too busy for it to use what it may";
                return AttackOutcome::Unknown(format!("{why}: {measured}"));
            }
        }
    }

    /// The processor time that it demands for a moment, as a share of one core; `None` if the system does not
    /// report it.
    fn share_of_a_core(&mut self) -> Option<f64> {
        let began = Instant::now();
        let before = self.demand()?;
        std::thread::sleep(MEASUREMENT);
        let demand = self.demand()?.saturating_sub(before);
        Some(demand.as_secs_f64() / began.elapsed().as_secs_f64())
    }

    /// The processor time that it has demanded; `None` if it has ended or the system does not report it.
    fn demand(&mut self) -> Option<Duration> {
        if self.attack.proof != Proof::RelayedProcessor {
            return self.child.processor_demand();
        }
        let mut bytes = [0; 4096];
        loop {
            // Each line is written at once, and read at once unless the pipe was full.
            match self.child.stderr_mut().read(&mut bytes) {
                Ok(0) => return None,
                Ok(got) => {
                    let read = RelayedTime::read(&String::from_utf8_lossy(&bytes[..got]));
                    self.relayed = self.relayed.plus(read);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Some(self.relayed.demanded);
                }
                Err(_) => return None,
            }
        }
    }

    /// The processor time that it has used, by its control group, its living processes, and the reports of its relays.
    fn used(&self) -> [Duration; 3] {
        let of_group = self.child.group_processor_time().unwrap_or_default();
        [of_group, self.child.processor_time(), self.relayed.used]
    }
}

/// The processor time that was used between two moments, by the account that shows most.
fn most_used(before: [Duration; 3], now: [Duration; 3]) -> Duration {
    let used = now.into_iter().zip(before).map(|(now, before)| now.saturating_sub(before));
    used.max().unwrap_or_default()
}

/// What was measured of the processor time that an attack demands, as a share of a core, and has used so far.
fn measured(share: f64, used: Duration, time: Duration) -> String {
    let (used, time) = (used.as_secs_f64(), time.as_secs_f64());
    let share = 100.0 * share;
    format!(
        "it used {used:.1} s of a core in {time:.1} s, and wanted {share:.0} % of one at the end"
    )
}

/// Whether the processor time is more than the allowance for `time`.
fn is_too_much(used: Duration, time: Duration) -> bool {
    used.as_secs_f64() > TOO_MUCH_AT_FIRST + TOO_MUCH_LATER * time.as_secs_f64()
}

/// Whether a connection to this port succeeds outside the sandbox.
fn reached(port: &str) -> AttackOutcome {
    let connected = port.parse().map(|port: u16| TcpStream::connect((Ipv4Addr::LOCALHOST, port)));
    match connected {
        Ok(Ok(_)) => AttackOutcome::Open("it is reached from outside".into()),
        Ok(Err(_)) => AttackOutcome::Contained("no other process reaches it".into()),
        Err(_) => AttackOutcome::Unknown("it said something else".into()),
    }
}

/// Whether a process of an attack survives it; such processes are killed.
fn outcome_of_survivors(command_line_word: &Path) -> AttackOutcome {
    let until = Instant::now() + MAX_SURVIVAL;
    loop {
        let living = attackers(command_line_word);
        if living.is_empty() {
            return AttackOutcome::Contained("it is gone".into());
        }
        if Instant::now() >= until {
            for pid in &living {
                let _may_be_gone = kill_process(*pid, Signal::KILL);
            }
            return AttackOutcome::Open(format!(
                "{} of its processes live on after {} ms",
                living.len(),
                MAX_SURVIVAL.as_millis()
            ));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The attacking processes with this word in their command line.
fn attackers(command_line_word: &Path) -> Vec<Pid> {
    let command_line_word = command_line_word.as_os_str().as_encoded_bytes();
    let is_one = |pid: &Pid| {
        let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
        let has = |part: &[u8]| line.windows(part.len()).any(|piece| piece == part);
        has(command_line_word) && line.starts_with(b"./dicehill\0--attack\0")
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

    fn check_tries(outcomes: &[AttackOutcome], expected: &AttackOutcome, tried: usize) {
        let mut left = outcomes.iter();
        let outcome = first_not_open(TRIES, || left.next().expect("three at most").clone());
        assert_eq!((&outcome, outcomes.len() - left.len()), (expected, tried));
    }

    #[test]
    fn an_attack_is_open_only_if_every_attempt_is() {
        let open = || AttackOutcome::Open("too late".to_owned());
        let [contained, unknown] = [
            AttackOutcome::Contained("ended".to_owned()),
            AttackOutcome::Unknown("busy".to_owned()),
        ];
        let all_open = AttackOutcome::Open("too late, in each of 3 attempts".to_owned());
        check_tries(&[open(), open(), open()], &all_open, 3);
        check_tries(&[open(), open(), contained.clone()], &contained, 3);
        check_tries(&[open(), contained.clone()], &contained, 2);
        check_tries(&[contained.clone(), open()], &contained, 1);
        check_tries(&[open(), unknown.clone()], &unknown, 2);
    }

    #[test]
    fn an_open_attack_that_is_tried_once_has_no_number_of_attempts() {
        let open = AttackOutcome::Open("read".to_owned());
        assert_eq!(first_not_open(1, || open.clone()), open);
    }

    #[test]
    fn the_measured_processor_time_is_reported() {
        let [used, time] = [2_350, 4_000].map(Duration::from_millis);
        let words = "it used 2.4 s of a core in 4.0 s, and wanted 98 % of one at the end";
        assert_eq!(measured(0.98, used, time), words);
        assert!(!is_too_much(used, time) && is_too_much(used + used, time));
    }

    #[test]
    fn a_slow_start_is_no_breach() {
        let [at_first, now] =
            [[0, 2_600, 0], [0, 3_500, 400]].map(|used| used.map(Duration::from_millis));
        let used = most_used(at_first, now);
        assert_eq!(used, Duration::from_millis(900));
        assert!(!is_too_much(used, Duration::from_millis(1_100)));
        assert_eq!(most_used(now, at_first), Duration::ZERO, "its processes have ended");
    }

    #[test]
    fn attacks_with_a_clear_outcome_are_tried_once() {
        let misleading = |isolation| -> Vec<_> {
            let attacks = ATTACKS.iter().filter(|attack| attack.can_mislead(isolation));
            attacks.map(|attack| attack.name).collect()
        };
        let by_time = [
            "daemon",
            "memory",
            "memory-processes",
            "memory-sockets",
            "memory-epoll",
            "memory-folders",
            "memory-maps",
            "mappings",
        ];
        assert_eq!(misleading(Isolation::Off), by_time);
        let files = ["fill-folder", "hide-files", "hide-descriptors"];
        assert_eq!(misleading(Isolation::On), [&["tcp-listen"][..], &by_time, &files].concat());
    }
}
