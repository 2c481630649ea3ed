//! Whether and how a host sandboxes bots.

use serde::{Deserialize, Serialize};

/// Whether bots are sandboxed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Isolation {
    /// With every mechanism that works on the machine.
    #[default]
    On,
    /// Not at all: only for bots that the host trusts.
    Off,
}

/// Whether a sandboxed child has a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum NetworkAccess {
    /// None at all.
    #[default]
    None,
    /// That of the host: it may connect to everything that the host reaches, also to services that listen on the host
    /// itself, and accepts no connections.
    Host,
}

/// Why this system runs no external bots with this isolation, with the remedy; `None` if it runs them.
#[must_use]
pub const fn platform_gap(isolation: Isolation) -> Option<&'static str> {
    match isolation {
        _ if cfg!(windows) => {
            Some("external bots do not run on Windows: only house bots play here")
        }
        Isolation::On if !cfg!(target_os = "linux") => Some(
            "the sandbox needs Linux; on this system, --no-isolation runs bots that you trust without one",
        ),
        Isolation::On | Isolation::Off => None,
    }
}

/// What a host cannot rely on for bots without a sandbox, because only Linux has it; `None` there.
#[must_use]
pub const fn unenforced_limits() -> Option<&'static str> {
    if cfg!(target_os = "linux") {
        return None;
    }
    Some("on this system bots have no memory limit, and processes that a bot detaches outlive it")
}
