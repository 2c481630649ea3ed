//! Keeping a child apart from everything that is not its own.
//!
//! A child that is kept apart sees the runtimes of the system, what it was given to read, and its own
//! folder; no other process, no network, and nothing of the machine's load. The work is done in two
//! places. The keeper makes a control group, if the arena may have some ([`control_groups`], [`control_group`]), and
//! enters namespaces of its own ([`namespaces`]). The child's init, the first process there, builds the view of the
//! files ([`view`]), becomes an unprivileged user, and binds itself and all that comes from it by limits ([`bounds`]),
//! Landlock ([`file_rules`]) and seccomp ([`system_calls`]) before it starts the child ([`mod@init`]).
//!
//! Each of these is a step of its own that may be impossible on a machine. [`survey`] tries them all once; what
//! failed then is left out later and told as an absent guarantee, and a step that fails although it was possible
//! then keeps the child from being started.

mod bounds;
mod control_group;
mod control_groups;
mod file_rules;
mod init;
mod namespaces;
mod system_calls;
mod view;

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

use crate::stock::Stock;

pub(crate) use control_group::ControlGroup;
pub(crate) use control_groups::{ControlGroups, give_back};
pub(crate) use init::{INIT, init};

/// What keeps a child apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// Bounds on memory and processes over all that it starts, by cgroup v2.
    ControlGroups,
    /// Capabilities that hold only among its own processes.
    UserNamespace,
    /// A view of the files that holds only what it may see.
    MountNamespace,
    /// No other process can be seen, and all end with the first.
    PidNamespace,
    /// A network that leads nowhere.
    NetworkNamespace,
    /// No shared memory with others.
    IpcNamespace,
    /// A host name of its own.
    UtsNamespace,
    /// No name of the group in which it is.
    CgroupNamespace,
    /// A `/proc` with its own processes and nothing else.
    OwnProc,
    /// Where the arena runs as root: an unprivileged user of its own.
    OwnUser,
    /// Limits on processes, files, descriptors and memory.
    Bounds,
    /// Rules for files, by Landlock.
    FileRules,
    /// Rules for TCP ports, by Landlock.
    NetworkRules,
    /// No signals and no abstract sockets beyond its own processes, by Landlock.
    ScopeRules,
    /// System calls that a bot has no use for are refused, by seccomp.
    SystemCalls,
}

impl Mechanism {
    /// All of them, in the order in which they are put to use.
    pub const ALL: [Self; 15] = [
        Self::ControlGroups,
        Self::UserNamespace,
        Self::PidNamespace,
        Self::NetworkNamespace,
        Self::IpcNamespace,
        Self::UtsNamespace,
        Self::CgroupNamespace,
        Self::MountNamespace,
        Self::OwnProc,
        Self::OwnUser,
        Self::Bounds,
        Self::FileRules,
        Self::NetworkRules,
        Self::ScopeRules,
        Self::SystemCalls,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ControlGroups => "control groups",
            Self::UserNamespace => "user namespace",
            Self::MountNamespace => "mount namespace",
            Self::PidNamespace => "pid namespace",
            Self::NetworkNamespace => "network namespace",
            Self::IpcNamespace => "ipc namespace",
            Self::UtsNamespace => "uts namespace",
            Self::CgroupNamespace => "cgroup namespace",
            Self::OwnProc => "own /proc",
            Self::OwnUser => "own user",
            Self::Bounds => "limits",
            Self::FileRules => "Landlock: files",
            Self::NetworkRules => "Landlock: network",
            Self::ScopeRules => "Landlock: signals and sockets",
            Self::SystemCalls => "seccomp",
        }
    }

    /// How it can be had where it is not.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::ControlGroups => {
                "limits and looks every 50 ms do their work; to have them, start dicehill alone in a group of \
                 cgroup v2 that is its own: `systemd-run --user --scope -p Delegate=yes dicehill ...`, as root \
                 without `--user`; in a container as its first process, with a writable /sys/fs/cgroup"
            }
            Self::UserNamespace
            | Self::MountNamespace
            | Self::PidNamespace
            | Self::NetworkNamespace
            | Self::IpcNamespace
            | Self::UtsNamespace
            | Self::CgroupNamespace => {
                "allow user namespaces: `sysctl user.max_user_namespaces=10000`; on Ubuntu also `sysctl \
                 kernel.apparmor_restrict_unprivileged_userns=0`; in a container add the capability SYS_ADMIN \
                 or `--security-opt seccomp=unconfined`; or run as root"
            }
            Self::OwnProc => {
                "allow a /proc of its own: in a container, run it with an unmasked /proc, as `--security-opt \
                 systempaths=unconfined` does; Linux 5.8 or later"
            }
            Self::OwnUser => "run dicehill as an ordinary user",
            Self::Bounds => "run dicehill without hard limits that are lower than these",
            Self::FileRules => {
                "Linux 5.13 or later, with `landlock` among the `lsm=` of the kernel"
            }
            Self::NetworkRules => "Linux 6.7 or later, with Landlock",
            Self::ScopeRules => "Linux 6.12 or later, with Landlock",
            Self::SystemCalls => "a kernel with seccomp, on x86-64, aarch64 or riscv64",
        }
    }

    /// Whether bots are less kept apart without it. Others do the work of what is not needed, if less promptly.
    #[must_use]
    pub const fn is_needed(self) -> bool {
        !matches!(self, Self::ControlGroups)
    }
}

/// A mechanism that cannot be had on this machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Absent {
    /// Which.
    pub mechanism: Mechanism,
    /// What the system said.
    pub why: String,
}

/// Whether bots are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Isolation {
    /// As far as the machine can.
    #[default]
    On,
    /// Not at all: for one's own bots.
    Off,
}

/// How a child is kept apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Room {
    /// Where it works.
    pub(crate) folder: PathBuf,
    /// What it may read and run beside its folder.
    pub(crate) readable: Vec<PathBuf>,
    /// What it may write; its folder is among them if it is writable.
    pub(crate) writable: Vec<PathBuf>,
    /// What lay there when it was given away, be it to others before.
    pub(crate) stock: Stock,
    /// Whether it has a `/tmp` of its own, that is gone with it.
    pub(crate) has_tmp: bool,
    /// Whether it cannot do without a `/proc`, be it that of everybody.
    pub(crate) needs_proc: bool,
    /// Its user, if the arena runs as root.
    pub(crate) user: u32,
    pub(crate) bounds: Bounds,
    /// Where its control group is made, if it has one.
    pub(crate) groups: Option<ControlGroups>,
    /// What is known not to work here.
    pub(crate) absent: Vec<Mechanism>,
    /// Whether all is only tried.
    pub(crate) is_survey: bool,
}

/// What a child may use, beside the memory that its keeper looks after.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Bounds {
    /// Processes and threads.
    pub(crate) processes: u64,
    /// Bytes of memory that a control group holds for all its processes together. More than they may use, of which
    /// the keeper takes care: what the kernel has for them counts here too.
    pub(crate) group_bytes: u64,
    /// Open descriptors of a process.
    pub(crate) descriptors: u64,
    /// Bytes of a file.
    pub(crate) file_bytes: u64,
    /// Bytes of private memory of a process. More than it may really use, of which its keeper takes care: this
    /// stops what is too fast for the keeper.
    pub(crate) data_bytes: u64,
    /// Bytes that it may add to the folders that it can write.
    pub(crate) folder_bytes: u64,
    /// Files that it may add there.
    pub(crate) folder_files: u64,
}

impl Room {
    /// A room around a folder, with all that this machine can do.
    pub(crate) fn new(folder: PathBuf, user: u32, bounds: Bounds) -> Self {
        // Where it could not be tried nothing is left out, and each step must succeed.
        let absent = survey().unwrap_or_default();
        let absent: Vec<_> = absent.iter().map(|absent| absent.mechanism).collect();
        let has_group = !absent.contains(&Mechanism::ControlGroups);
        Self {
            folder,
            readable: Vec::new(),
            writable: Vec::new(),
            stock: Stock::default(),
            has_tmp: false,
            needs_proc: false,
            user,
            bounds,
            groups: control_groups::of_this_arena().ok().filter(|_| has_group).cloned(),
            absent,
            is_survey: false,
        }
    }

    /// What lies now in the folders that can be written.
    pub(crate) fn stock_now(&self) -> Stock {
        Stock::of(self.writable.iter().map(PathBuf::as_path))
    }

    /// Whether there is far more than at the beginning.
    pub(crate) const fn is_exceeded_by(&self, now: Stock) -> bool {
        now.bytes > self.stock.bytes.saturating_add(self.bounds.folder_bytes)
            || now.files > self.stock.files.saturating_add(self.bounds.folder_files)
    }

    /// One in which everything is tried and nothing is left out.
    pub(crate) fn of_survey(folder: PathBuf) -> Self {
        Self {
            folder: folder.clone(),
            readable: Vec::new(),
            writable: vec![folder],
            stock: Stock::default(),
            has_tmp: true,
            needs_proc: false,
            user: next_user(),
            bounds: Bounds::of_bot(64),
            groups: control_groups::of_this_arena().ok().cloned(),
            absent: Vec::new(),
            is_survey: true,
        }
    }
}

/// A user for whom nobody else works, should we be root: below those that systemd and containers use for
/// themselves there is room for 32 at a time of every process of ours. In a container that knows few users it is
/// nobody, or else root itself.
pub(crate) fn next_user() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    const FIRST: u32 = 0x7000_0000;
    const EACH: u32 = 32;
    const NOBODY: u32 = 65534;
    let own = FIRST + std::process::id() * EACH + NEXT.fetch_add(1, Ordering::Relaxed) % EACH;
    [own, NOBODY].into_iter().find(|user| is_known(*user)).unwrap_or(0)
}

/// Whether there is a user with this number where we run.
fn is_known(user: u32) -> bool {
    let Ok(map) = std::fs::read_to_string("/proc/self/uid_map") else { return false };
    map.lines().any(|line| {
        let mut numbers = line.split_ascii_whitespace().map_while(|text| text.parse::<u32>().ok());
        let (first, _, count) = (numbers.next(), numbers.next(), numbers.next());
        matches!((first, count), (Some(first), Some(count)) if user >= first && user - first < count)
    })
}

/// Mebibytes that the kernel may hold for a child and its init, beside what they have themselves.
const KERNEL_MB: u64 = 16;

impl Bounds {
    /// Those of a bot that may use so much memory.
    pub(crate) const fn of_bot(memory_mb: u64) -> Self {
        Self {
            processes: 64,
            group_bytes: (memory_mb + KERNEL_MB) << 20,
            descriptors: 128,
            file_bytes: 64 << 20,
            data_bytes: (2 * memory_mb + 512) << 20,
            folder_bytes: 128 << 20,
            folder_files: 10_000,
        }
    }

    /// Those of a build.
    pub(crate) const fn of_build(memory_mb: u64) -> Self {
        Self {
            processes: 1024,
            group_bytes: ((memory_mb + KERNEL_MB) << 20) + view::TMP_BYTES,
            descriptors: 4096,
            file_bytes: 2 << 30,
            data_bytes: (2 * memory_mb) << 20,
            folder_bytes: 4 << 30,
            folder_files: 100_000,
        }
    }
}

/// What a keeper has done for a child before it starts its init.
pub(crate) struct Prepared {
    pub(crate) group: Option<ControlGroup>,
    /// What cannot be had of what was tried.
    pub(crate) absent: Vec<Absent>,
}

/// Makes the child's control group, and has all that this process starts from now on live in namespaces.
///
/// # Errors
/// If it is not possible though it was before.
pub(crate) fn prepare(room: &Room) -> io::Result<Prepared> {
    let mut steps = Steps::new(room);
    let mut group = None;
    if let Some(groups) = &room.groups {
        steps.take(Mechanism::ControlGroups, || {
            group = Some(ControlGroup::new(groups, room.bounds)?);
            Ok(())
        })?;
    }
    namespaces::enter(&mut steps)?;
    Ok(Prepared { group, absent: steps.absent })
}

/// The steps that keep a child apart, each of which may be impossible.
#[derive(Debug)]
struct Steps<'a> {
    room: &'a Room,
    absent: Vec<Absent>,
}

impl<'a> Steps<'a> {
    const fn new(room: &'a Room) -> Self {
        Self { room, absent: Vec::new() }
    }

    /// Takes a step, unless it is known to be impossible. Says whether it was taken.
    ///
    /// # Errors
    /// If it fails though it was possible before; in a survey that is noted instead.
    fn take(
        &mut self,
        mechanism: Mechanism,
        step: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<bool> {
        if self.room.absent.contains(&mechanism) {
            return Ok(false);
        }
        match step() {
            Ok(()) => Ok(true),
            Err(error) if self.room.is_survey => {
                self.absent.push(Absent { mechanism, why: error.to_string() });
                Ok(false)
            }
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("{}: {error}", mechanism.name())))
            }
        }
    }
}

/// Something that hosts can rely on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guarantee {
    /// What.
    pub what: &'static str,
    /// By which mechanisms: in any of these ways, of which each takes all that it names.
    ways: &'static [&'static [Mechanism]],
}

/// What is promised of bots that are kept apart.
pub const GUARANTEES: [Guarantee; 9] = {
    use Mechanism::{
        Bounds, FileRules, IpcNamespace, MountNamespace, NetworkNamespace, OwnProc, OwnUser,
        PidNamespace, SystemCalls, UserNamespace,
    };
    [
        Guarantee {
            what: "bots see no files but their own and the system's programs",
            ways: &[&[MountNamespace], &[FileRules]],
        },
        Guarantee { what: "bots have no network", ways: &[&[NetworkNamespace], &[SystemCalls]] },
        Guarantee {
            what: "bots see and reach no other process",
            ways: &[&[PidNamespace, MountNamespace, OwnProc]],
        },
        Guarantee { what: "nothing that bots start outlives them", ways: &[&[PidNamespace]] },
        Guarantee {
            what: "bots share no memory and no queues",
            ways: &[&[IpcNamespace], &[SystemCalls]],
        },
        Guarantee {
            what: "bots cannot tell the machine's load",
            ways: &[&[MountNamespace, OwnProc, SystemCalls]],
        },
        Guarantee {
            what: "bots are limited in processes, files and descriptors",
            ways: &[&[Bounds]],
        },
        Guarantee {
            what: "bots have no rights over the machine",
            ways: &[&[OwnUser], &[UserNamespace, SystemCalls]],
        },
        Guarantee {
            what: "bots cannot reach the rarely used parts of the kernel",
            ways: &[&[SystemCalls]],
        },
    ]
};

impl Guarantee {
    /// What keeps it from being given where these are absent; nothing if it is given.
    #[must_use]
    pub fn prevented_by<'a>(&self, absent: &'a [Absent]) -> Vec<&'a Absent> {
        let lacking = |way: &&[Mechanism]| -> Vec<&Absent> {
            absent.iter().filter(|absent| way.contains(&absent.mechanism)).collect()
        };
        let each = self.ways.iter().map(lacking);
        each.min_by_key(Vec::len).unwrap_or_default()
    }
}

/// What this machine cannot do, found out once by trying.
///
/// # Errors
/// If it could not be tried, for example because no process or no folder could be made. That says nothing about
/// the machine, so that no bot may be started on the strength of it.
pub fn survey() -> io::Result<&'static [Absent]> {
    static SURVEY: OnceLock<Result<Vec<Absent>, String>> = OnceLock::new();
    match SURVEY.get_or_init(try_all) {
        Ok(absent) => Ok(absent),
        Err(why) => Err(io::Error::other(format!(
            "the sandbox cannot be tried: {why}; mend that, or run bots of your own with --no-isolation"
        ))),
    }
}

fn try_all() -> Result<Vec<Absent>, String> {
    if !cfg!(target_os = "linux") {
        let why = format!("not on {}", std::env::consts::OS);
        return Ok(Mechanism::ALL.map(|mechanism| Absent { mechanism, why: why.clone() }).into());
    }
    let mut absent = crate::child::survey().map_err(|error| error.to_string())?;
    if let Err(why) = control_groups::of_this_arena() {
        absent.insert(0, Absent { mechanism: Mechanism::ControlGroups, why: why.to_owned() });
    }
    Ok(absent)
}
