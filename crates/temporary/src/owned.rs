//! An entry of a folder that is locked by the process that made it.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};

/// How an entry is opened that may be a stranger's: no link is followed, and no pipe waited for.
const ENTRY: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
/// How often another name is tried. An entry that is not locked yet may be taken for an abandoned one.
const TRIES: u32 = 16;

/// Makes an entry and locks it: `make` makes one, with a new name each time, and gives `None` if another process removed
/// it before it could be opened.
pub(crate) fn locked<T>(
    mut make: impl FnMut() -> io::Result<Option<(File, T)>>,
) -> io::Result<(File, T)> {
    for _ in 0..TRIES {
        let Some((entry, made)) = make()? else { continue };
        if entry.try_lock().is_ok() && entry.metadata()?.nlink() > 0 {
            return Ok((entry, made));
        }
    }
    Err(io::Error::other("each new temporary file was removed at once by another process"))
}

/// Opens an entry that we have made and that no process has any more, and locks it; `None` of all others.
pub(crate) fn abandoned(at: &File, name: &Path) -> io::Result<Option<(File, Metadata)>> {
    let entry = File::from(openat(at, name, ENTRY, Mode::empty())?);
    let meta = entry.metadata()?;
    let is_ours = meta.uid() == rustix::process::geteuid().as_raw();
    let is_abandoned = is_ours && entry.try_lock().is_ok() && is_there(at, name, &meta)?;
    Ok(is_abandoned.then_some((entry, meta)))
}

/// Whether the name is still that of what was opened.
fn is_there(at: &File, name: &Path, meta: &Metadata) -> io::Result<bool> {
    let now = statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok((now.st_dev, now.st_ino) == (meta.dev(), meta.ino()))
}
