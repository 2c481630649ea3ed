//! What contains an attack.

use crate::isolation::mechanism::Mechanism;

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
            Self::UserNamespace => Mechanism::UserNamespace.remedy(),
            Self::MountNamespace => Mechanism::MountNamespace.remedy(),
            Self::PidNamespace => Mechanism::PidNamespace.remedy(),
            Self::NetworkNamespace => Mechanism::NetworkNamespace.remedy(),
            Self::Landlock => Mechanism::FileRules.remedy(),
            Self::Seccomp => Mechanism::SystemCalls.remedy(),
            Self::NoNewPrivileges => "Use Linux 4.10 or later, which has no_new_privs.",
            Self::Limits => {
                "Start dicehill as an ordinary user whose own limits (ulimit -a) can be lowered: root \
                 is exempt from the number of processes."
            }
            Self::Keeper => {
                "Mount /proc where dicehill runs, with the children of processes listed \
                 (CONFIG_PROC_CHILDREN): the keeper finds them there."
            }
            Self::ControlGroup => Mechanism::ControlGroups.remedy(),
            Self::Allowance => {
                "Leave cores free: let --jobs be smaller than the number of cores, so that what a bot \
                 does off-move slows nobody down."
            }
        }
    }
}
