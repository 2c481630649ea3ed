//! Folders and files that are locked by the process that created them.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, fstat, openat, statat};

/// The flags to open an entry of another user: links are not followed, and opening a pipe does not block.
const ENTRY: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
/// The number of names that are tried: another process may remove an entry that is not locked yet as abandoned.
const TRIES: u32 = 16;

/// Creates an entry and locks it. `create` creates one with a new name each time, and returns `None` if another process
/// removed it before it was opened.
pub(crate) fn locked<T>(
    mut create: impl FnMut() -> io::Result<Option<(File, T)>>,
) -> io::Result<(File, T)> {
    for _ in 0..TRIES {
        let Some((entry, created)) = create()? else { continue };
        if entry.try_lock().is_ok() && entry.metadata()?.nlink() > 0 {
            return Ok((entry, created));
        }
    }
    Err(io::Error::other("each new temporary file was removed at once by another process"))
}

/// Opens an entry of this user that no process has locked, and locks it; `None` for other entries.
pub(crate) fn abandoned(at: &File, name: &Path) -> io::Result<Option<(File, Metadata)>> {
    let entry = File::from(openat(at, name, ENTRY, Mode::empty())?);
    let meta = entry.metadata()?;
    let is_ours = meta.uid() == rustix::process::geteuid().as_raw();
    let is_abandoned = is_ours && entry.try_lock().is_ok() && has_name(at, name, &entry)?;
    Ok(is_abandoned.then_some((entry, meta)))
}

/// Whether the opened entry still has this name.
fn has_name(at: &File, name: &Path, entry: &File) -> io::Result<bool> {
    let (now, opened) = (statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?, fstat(entry)?);
    Ok((now.st_dev, now.st_ino) == (opened.st_dev, opened.st_ino))
}
