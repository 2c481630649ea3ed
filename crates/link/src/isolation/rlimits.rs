//! Applies resource limits to a child and everything that it starts.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::limits::Bounds;

/// Signals that may wait for a process to take them.
const SIGNALS: u64 = 1024;

/// Sets the limits for this process and all that come from it.
pub(super) fn set(bounds: Bounds) -> io::Result<()> {
    let Bounds { processes, descriptors, file_bytes, data_bytes, .. } = bounds;
    for (resource, most) in [
        (Resource::Nproc, processes),
        (Resource::Nofile, descriptors),
        (Resource::Fsize, file_bytes),
        (Resource::Data, data_bytes),
        (Resource::Core, 0),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
        (Resource::Sigpending, SIGNALS),
    ] {
        // A lower limit that is there already stays.
        let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}
