//! What contains an attack.

use crate::isolation::mechanism::Mechanism;

/// What contains an attack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Defence {
    /// A user namespace, in which the bot has no capabilities outside.
    UserNamespace,
    /// A mount namespace that holds few files.
    MountNamespace,
    /// A pid namespace with its own `/proc`.
    PidNamespace,
    /// A network namespace without interfaces.
    NetworkNamespace,
    /// Landlock rules.
    Landlock,
    /// A list of allowed system calls, by seccomp.
    Seccomp,
    /// The `no_new_privs` flag: running a program cannot gain privileges.
    NoNewPrivileges,
    /// Resource limits.
    Limits,
    /// The supervisor of the bot.
    Supervisor,
    /// The control group of the bot, if it has one.
    ControlGroup,
    /// The processor time that a bot may use while no answer is owed.
    Allowance,
}

impl Defence {
    /// Its name.
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
            Self::Supervisor => "supervisor",
            Self::ControlGroup => "control group",
            Self::Allowance => "processor allowance",
        }
    }

    /// What to do if an attack that it should contain is open.
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
            Self::Supervisor => {
                "Mount /proc where dicehill runs, with the children of processes listed \
                 (CONFIG_PROC_CHILDREN): the supervisor finds them there."
            }
            Self::ControlGroup => Mechanism::ControlGroups.remedy(),
            Self::Allowance => {
                "Leave cores free: let --jobs be smaller than the number of cores, so that what a bot \
                 does off-move slows nobody down."
            }
        }
    }
}
