//! The mechanisms of the operating system that isolate a child.

use serde::{Deserialize, Serialize};

/// A mechanism that isolates a child.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// Limits on memory and processes of the child and its descendants together, by cgroup v2.
    ControlGroups,
    /// Exact processor time of the child and its descendants together, and pauses that none of them can evade, by
    /// cgroup v2.
    ProcessorAccount,
    /// Capabilities that are valid only among its own processes.
    UserNamespace,
    /// A file system that holds only what it may see.
    MountNamespace,
    /// It sees no other process, and all its processes end with the first.
    PidNamespace,
    /// A network without interfaces.
    NetworkNamespace,
    /// No shared memory with other processes.
    IpcNamespace,
    /// A separate host name.
    UtsNamespace,
    /// The name of its control group is hidden.
    CgroupNamespace,
    /// A `/proc` that shows only its own processes.
    OwnProc,
    /// An unprivileged user of its own, which only an arena that runs as root can give it.
    OwnUser,
    /// Resource limits on processes, files, descriptors and memory.
    Bounds,
    /// Rules for files, by Landlock.
    FileRules,
    /// Rules for TCP ports, by Landlock.
    NetworkRules,
    /// No signals or abstract sockets to processes outside, by Landlock.
    ScopeRules,
    /// System calls that no bot needs are refused, by seccomp.
    SystemCalls,
}

impl Mechanism {
    /// All of them, in the order in which they are applied.
    pub const ALL: [Self; 16] = [
        Self::ControlGroups,
        Self::ProcessorAccount,
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

    /// Its name, for display.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ControlGroups => "control groups",
            Self::ProcessorAccount => "control groups: processor time",
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

    /// How to make it available on a machine without it.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::ControlGroups => {
                "replaced by limits and measurements every 50 ms; to get them, start dicehill alone in its own cgroup v2 group: `systemd-run --user --scope -p Delegate=yes dicehill ...`, as root \
                 without `--user`; in a container as its first process, with a writable /sys/fs/cgroup"
            }
            Self::ProcessorAccount => {
                "replaced by sampling at random times; to get it, start dicehill in a cgroup v2 group in which its user may make groups: `systemd-run --user --scope -p Delegate=yes dicehill ...`, as root \
                 without `--user`; Linux 5.2 or later"
            }
            Self::UserNamespace
            | Self::MountNamespace
            | Self::PidNamespace
            | Self::NetworkNamespace
            | Self::IpcNamespace
            | Self::UtsNamespace
            | Self::CgroupNamespace => {
                "allow user namespaces: `sysctl user.max_user_namespaces=10000`; on Ubuntu install the AppArmor \
                 profile `packaging/apparmor/dicehill`, which allows them to dicehill alone; in a container add the \
                 capability SYS_ADMIN or `--security-opt seccomp=unconfined`; in a chroot, where the kernel refuses them to users, \
                 run as root, after `mount --bind FOLDER FOLDER` if the folder is no mount point, or enter it with `systemd-nspawn` instead"
            }
            Self::OwnProc => {
                "allow a /proc of its own: in a container, run it with an unmasked /proc, as `--security-opt \
                 unmask=ALL` does in Podman and `--security-opt systempaths=unconfined` in Docker; Linux 5.8 or later"
            }
            Self::OwnUser => {
                "as root, run dicehill where it may change users; as an ordinary user, the mount namespace and seccomp keep bots from that user's \
                 files and processes"
            }
            Self::Bounds => "run dicehill without hard limits that are lower than these",
            Self::FileRules => {
                "Linux 5.13 or later, with `landlock` among the `lsm=` of the kernel"
            }
            Self::NetworkRules => {
                "a second barrier behind the network namespace and seccomp; Linux 6.7 or later, with Landlock, has it"
            }
            Self::ScopeRules => {
                "a second barrier behind the pid and network namespaces and seccomp; Linux 6.12 or later, with Landlock, has it"
            }
            Self::SystemCalls => "a kernel with seccomp, on x86-64, aarch64 or riscv64",
        }
    }

    /// Whether bots are less isolated without it. What is not needed is also enforced in other ways, only
    /// later.
    #[must_use]
    pub const fn is_needed(self) -> bool {
        !matches!(self, Self::ControlGroups | Self::ProcessorAccount)
    }
}

/// A mechanism that does not work on this machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MissingMechanism {
    /// The mechanism.
    pub mechanism: Mechanism,
    /// The error of the system.
    pub why: String,
}
