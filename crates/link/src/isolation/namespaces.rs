//! Enters namespaces.

use std::fs;
use std::io;

use rustix::process::{DumpableBehavior, getegid, geteuid, set_dumpable_behavior};
use rustix::thread::{CapabilitySet, CapabilitySets, UnshareFlags};

use super::mechanism::Mechanism;
use super::steps::Steps;

/// Has the processes that this one starts from now on live in namespaces of their own. This one itself stays
/// where it sees them.
///
/// # Errors
/// If it is not possible though it was before.
pub(super) fn enter(steps: &mut Steps<'_>) -> io::Result<()> {
    if !rules_the_machine() {
        steps.take(Mechanism::UserNamespace, || {
            enter_user_namespace()?;
            hand_on_capabilities()
        })?;
    }
    for (mechanism, flag) in [
        (Mechanism::PidNamespace, UnshareFlags::NEWPID),
        (Mechanism::NetworkNamespace, UnshareFlags::NEWNET),
        (Mechanism::IpcNamespace, UnshareFlags::NEWIPC),
        (Mechanism::UtsNamespace, UnshareFlags::NEWUTS),
    ] {
        steps.take(mechanism, || unshare(flag))?;
    }
    Ok(())
}

/// Whether this process may do what is needed without a user namespace.
pub(super) fn rules_the_machine() -> bool {
    geteuid().is_root()
        && rustix::thread::capabilities(None)
            .is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN))
}

/// In it this user has the number that it has outside, and all capabilities.
pub(super) fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER)?;
    // Who has changed its user does not own its entries in /proc otherwise.
    set_dumpable_behavior(DumpableBehavior::Dumpable)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// What is needed of the capabilities in a user namespace stays with the programs started there.
fn hand_on_capabilities() -> io::Result<()> {
    let wanted = CapabilitySet::SYS_ADMIN | CapabilitySet::SETPCAP;
    let sets = rustix::thread::capabilities(None)?;
    rustix::thread::set_capabilities(None, CapabilitySets { inheritable: wanted, ..sets })?;
    for capability in [CapabilitySet::SYS_ADMIN, CapabilitySet::SETPCAP] {
        rustix::thread::configure_capability_in_ambient_set(capability, true)?;
    }
    Ok(())
}

pub(super) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    #[expect(unsafe_code, reason = "the function can be misused with other flags than ours")]
    // SAFETY: the table of descriptors is not among what is unshared.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(io::Error::from)
}
