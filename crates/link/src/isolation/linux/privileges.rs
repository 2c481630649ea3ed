//! Gives up the privileges of a process: its user, its capabilities.

use std::io;

use rustix::process::{Gid, Uid};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

use crate::isolation::sandbox::Sandbox;

/// Becomes the user of a sandbox permanently.
pub(super) fn change_user(sandbox: &Sandbox) -> io::Result<()> {
    if sandbox.user.number() == 0 {
        return Err(io::Error::other("there is no other user"));
    }
    let user = Uid::from_raw(sandbox.user.number());
    let group = Gid::from_raw(sandbox.group.number());
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)?;
    Ok(())
}

/// Gives up all capabilities permanently: a program that is executed cannot regain any.
pub(super) fn give_up_capabilities() -> io::Result<()> {
    let had = rustix::thread::capabilities(None)?;
    if had.effective.contains(CapabilitySet::SETPCAP) {
        let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
        rustix::thread::set_capabilities_secure_bits(bits)?;
        for number in 0..64 {
            let one = CapabilitySet::from_bits_retain(1 << number);
            // The kernel has fewer capabilities than the set has bits.
            if rustix::thread::remove_capability_from_bounding_set(one).is_err() {
                break;
            }
        }
    }
    rustix::thread::clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, none)?;
    Ok(())
}
