//! The mechanisms of the operating system that isolate a child.

use serde::{Deserialize, Serialize};

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
