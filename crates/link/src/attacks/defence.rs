//! What contains an attack.

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
    /// A setting of the process by which the kernel gives it no huge pages.
    SmallPages,
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
            Self::SmallPages => "no huge pages",
            Self::Limits => "rlimits",
            Self::Supervisor => "supervisor",
            Self::ControlGroup => "control group",
            Self::Allowance => "processor allowance",
        }
    }
}
