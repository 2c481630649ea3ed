//! Applies resource limits to a child and everything that it starts.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::isolation::limits::ResourceLimits;

/// The most pending signals.
const MAX_PENDING_SIGNALS: u64 = 1024;

/// The most bytes of a process's first stack, which the limit of its data does not count. Compilers and make ask for as much.
const STACK_BYTES: u64 = 64 << 20;

/// No core dump, not even to a program: the kernel starts the one in `/proc/sys/kernel/core_pattern`, as root and outside
/// of all sandboxes, for every crash but one under a limit of exactly 1 byte (`vfs_coredump` in `fs/coredump.c`).
const NO_CORE_DUMP: u64 = 1;

/// Sets the limits of this process and its future descendants.
pub(super) fn set(bounds: ResourceLimits) -> io::Result<()> {
    let ResourceLimits { processes, descriptors, file_bytes, data_bytes, .. } = bounds;
    for (resource, most) in [
        (Resource::Nproc, processes),
        (Resource::Nofile, descriptors),
        (Resource::Fsize, file_bytes),
        (Resource::Data, data_bytes),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
        (Resource::Sigpending, MAX_PENDING_SIGNALS),
        // No priority over other processes, should the arena be allowed one.
        (Resource::Nice, 0),
        (Resource::Rtprio, 0),
    ] {
        // A lower hard limit stays.
        let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    let stack = getrlimit(Resource::Stack);
    let at_most =
        |limit: Option<u64>| Some(limit.map_or(STACK_BYTES, |limit| limit.min(STACK_BYTES)));
    let stack = Rlimit { current: at_most(stack.current), maximum: at_most(stack.maximum) };
    setrlimit(Resource::Stack, stack)?;
    let core = Rlimit { current: Some(NO_CORE_DUMP), maximum: Some(NO_CORE_DUMP) };
    // Where its hard limit is 0, only root may set it to 1.
    setrlimit(Resource::Core, core)
        .or_else(|_| setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }))?;
    Ok(())
}
