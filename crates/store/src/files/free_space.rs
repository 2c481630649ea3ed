//! The free space of a disk.

use std::path::Path;

/// The bytes that are free for this process on the disk of a folder; `None` if the system does not say.
#[cfg(unix)]
#[must_use]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// The bytes that are free on the disk of a folder: unknown on this system.
#[cfg(not(unix))]
#[must_use]
pub fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}
