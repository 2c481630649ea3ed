//! Applies resource limits to a child and everything that it starts.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::limits::ResourceLimits;

/// The most pending signals.
const MAX_PENDING_SIGNALS: u64 = 1024;

/// Sets the limits of this process and its future descendants.
pub(super) fn set(bounds: ResourceLimits) -> io::Result<()> {
    let ResourceLimits { processes, descriptors, file_bytes, data_bytes, .. } = bounds;
    for (resource, most) in [
        (Resource::Nproc, processes),
        (Resource::Nofile, descriptors),
        (Resource::Fsize, file_bytes),
        (Resource::Data, data_bytes),
        (Resource::Core, 0),
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
    Ok(())
}
