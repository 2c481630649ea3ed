//! One attack, and its side inside the attacking process.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::Outcome;
use super::table::ATTACKS;
use crate::isolation;

/// The first argument of a program that is to carry out an attack.
pub const ATTACK: &str = "--attack";

/// Something that a bot must not be able to do.
pub struct Attack {
    /// A short name.
    pub name: &'static str,
    /// What it does, in words.
    pub what: &'static str,
    /// What should contain it, the most important first.
    pub defences: &'static [Defence],
    /// Does it, inside the attacking process.
    pub(super) carry_out: fn(&Target) -> Outcome,
    /// How it is checked from outside.
    pub(super) proof: Proof,
}

/// What contains an attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Defence {
    /// A user namespace, in which the bot has no rights.
    UserNamespace,
    /// A mount namespace with few files.
    MountNamespace,
    /// A pid namespace, and a `/proc` of its own.
    PidNamespace,
    /// A network namespace without a network.
    NetworkNamespace,
    /// Landlock rules.
    Landlock,
    /// A list of allowed system calls.
    Seccomp,
    /// No rights by running a program.
    NoNewPrivileges,
    /// Limits of resources.
    Limits,
    /// The keeper beside the bot.
    Keeper,
    /// The bot's control group, where it has one.
    ControlGroup,
    /// The processor's time that a bot is allowed off-move.
    Allowance,
}

impl Defence {
    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserNamespace => "user namespace",
            Self::MountNamespace => "mount namespace",
            Self::PidNamespace => "pid namespace",
            Self::NetworkNamespace => "network namespace",
            Self::Landlock => "Landlock",
            Self::Seccomp => "seccomp",
            Self::NoNewPrivileges => "no_new_privs",
            Self::Limits => "rlimits",
            Self::Keeper => "keeper",
            Self::ControlGroup => "control group",
            Self::Allowance => "processor allowance",
        }
    }

    /// What to do where an attack that it should contain is open.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::UserNamespace => isolation::Mechanism::UserNamespace.remedy(),
            Self::MountNamespace => isolation::Mechanism::MountNamespace.remedy(),
            Self::PidNamespace => isolation::Mechanism::PidNamespace.remedy(),
            Self::NetworkNamespace => isolation::Mechanism::NetworkNamespace.remedy(),
            Self::Landlock => isolation::Mechanism::FileRules.remedy(),
            Self::Seccomp => isolation::Mechanism::SystemCalls.remedy(),
            Self::NoNewPrivileges => "Use Linux 4.10 or later, which has no_new_privs.",
            Self::Limits => {
                "Start dicehill as an ordinary user whose own limits (ulimit -a) can be lowered: root \
                 is exempt from the number of processes."
            }
            Self::Keeper => {
                "Mount /proc where dicehill runs, with the children of processes listed \
                 (CONFIG_PROC_CHILDREN): the keeper finds them there."
            }
            Self::ControlGroup => isolation::Mechanism::ControlGroups.remedy(),
            Self::Allowance => {
                "Leave cores free: let --jobs be smaller than the number of cores, so that what a bot \
                 does off-move slows nobody down."
            }
        }
    }
}

/// How it is seen from outside what an attack got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// It says so itself.
    Word,
    /// It says so itself; where its process is ended before, that is what should happen.
    End,
    /// There is a file that it has made at one of these places.
    File(&'static [&'static str]),
    /// Somebody listens at the port that it has told.
    Port,
    /// Its message has arrived.
    Message,
    /// It has a descriptor that was left open for it.
    Descriptor,
    /// It has filled the disk beyond what it may.
    Space,
    /// A process of it lives on.
    Survivor,
    /// It uses the processor though nobody asks it anything.
    Processor,
}

/// What an attack is told of what it is to reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// A folder that is not its own, with the files `canary` and `socket`.
    pub(super) folder: PathBuf,
    /// The port of a TCP listener.
    pub(super) tcp: u16,
    /// A UDP port.
    pub(super) udp: u16,
    /// The process that laid all this out.
    pub(super) doctor: i32,
    /// Where that process keeps [`super::bait::SECRET`].
    pub(super) secret_at: usize,
    /// Mebibytes of memory that the attack may use.
    pub(super) memory_mb: u64,
}

impl Target {
    /// As words of a command line.
    pub(super) fn words(&self) -> Vec<OsString> {
        let numbers = [
            self.tcp.to_string(),
            self.udp.to_string(),
            self.doctor.to_string(),
            self.secret_at.to_string(),
            self.memory_mb.to_string(),
        ];
        let folder = self.folder.clone().into_os_string();
        std::iter::once(folder).chain(numbers.map(OsString::from)).collect()
    }

    fn read(mut words: impl Iterator<Item = OsString>) -> Option<Self> {
        let folder = PathBuf::from(words.next()?);
        let mut number = || words.next()?.to_str().map(str::to_owned);
        Some(Self {
            folder,
            tcp: number()?.parse().ok()?,
            udp: number()?.parse().ok()?,
            doctor: number()?.parse().ok()?,
            secret_at: number()?.parse().ok()?,
            memory_mb: number()?.parse().ok()?,
        })
    }

    /// A file that is not the attack's own.
    pub(super) fn canary(&self) -> PathBuf {
        self.folder.join("canary")
    }

    /// A name that only files of these attacks have.
    pub(super) fn mark(&self) -> String {
        mark(self.doctor)
    }
}

/// What a doctor's files outside its folder and its abstract socket are called.
pub(super) fn mark(doctor: i32) -> String {
    format!("dicehill-doctor-{doctor}")
}

/// Carries out an attack: `arguments` are its name and what it is to reach. Says in one line how it came
/// out and stays until its input is closed.
pub fn attack(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let name = arguments.next().unwrap_or_default();
    let found = ATTACKS.iter().find(|attack| name == attack.name);
    let (Some(attack), Some(target)) = (found, Target::read(arguments)) else {
        eprintln!("dicehill {ATTACK} is started by dicehill doctor");
        return ExitCode::from(2);
    };
    let outcome = (attack.carry_out)(&target);
    let mut out = std::io::stdout().lock();
    // Nobody may be there to read it.
    let _told = writeln!(out, "{outcome}").and_then(|()| out.flush());
    let _ended = std::io::stdin().read_to_end(&mut Vec::new());
    ExitCode::SUCCESS
}
