//! Enters namespaces.

use std::fs;
use std::io;

use rustix::process::{DumpableBehavior, getegid, geteuid, set_dumpable_behavior};
use rustix::thread::{CapabilitySet, UnshareFlags};

use super::steps::SandboxSteps;
use crate::isolation::mechanism::Mechanism;
use crate::isolation::mode::NetworkAccess;

/// Has the future children of this process start in new namespaces. This process itself stays outside, where
/// it sees them. With access to the host's network they stay in its namespace.
///
/// # Errors
/// If a step fails that the probe found possible.
pub(super) fn enter(steps: &mut SandboxSteps<'_>, network: NetworkAccess) -> io::Result<()> {
    if !is_privileged() {
        steps.take(Mechanism::UserNamespace, enter_user_namespace)?;
    }
    for (mechanism, flag) in [
        (Mechanism::PidNamespace, UnshareFlags::NEWPID),
        (Mechanism::NetworkNamespace, UnshareFlags::NEWNET),
        (Mechanism::IpcNamespace, UnshareFlags::NEWIPC),
        (Mechanism::UtsNamespace, UnshareFlags::NEWUTS),
    ] {
        if mechanism != Mechanism::NetworkNamespace || network == NetworkAccess::None {
            steps.take(mechanism, || unshare(flag))?;
        }
    }
    Ok(())
}

/// Whether this process has the privileges to create namespaces without a user namespace.
pub(super) fn is_privileged() -> bool {
    geteuid().is_root()
        && rustix::thread::capabilities(None)
            .is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN))
}

/// Enters a user namespace in which this user keeps its id and has all capabilities.
pub(super) fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER)?;
    // A process that has changed its user does not own its files in `/proc` otherwise.
    set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

pub(super) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    #[expect(unsafe_code, reason = "the function can be misused with other flags than ours")]
    // SAFETY: the flags do not include the table of descriptors.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(io::Error::from)
}
