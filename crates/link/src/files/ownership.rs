//! Hands folders over to the user as which a bot runs, and takes them back.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Gives a folder and everything in it to a user, if the arena runs as root.
pub(crate) fn hand_over(path: &Path, user: u32) -> io::Result<()> {
    let can = rustix::process::geteuid().is_root() && user != 0;
    if can { set_owner(path, user) } else { Ok(()) }
}

/// Lets a group read and execute a folder and everything in it as its owner can, if the arena runs as root, which
/// then owns it.
pub(crate) fn share(path: &Path, group: u32) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() || group == 0 {
        return Ok(());
    }
    walk(path, &mut |path, meta| {
        std::os::unix::fs::lchown(path, Some(0), Some(group))?;
        if meta.is_symlink() {
            return Ok(());
        }
        let mode = meta.permissions().mode();
        fs::set_permissions(path, fs::Permissions::from_mode(mode | (mode & 0o500) >> 3))
    })
}

/// Takes back what [`hand_over`] gave away, and makes it readable. No process of that user may be running.
pub(crate) fn take_back(path: &Path) -> io::Result<()> {
    if rustix::process::geteuid().is_root() {
        set_owner(path, 0)?;
    }
    make_readable(path)
}

/// Makes a folder and everything in it readable, and what its owner can execute executable, by all that can enter it.
pub(crate) fn make_readable(path: &Path) -> io::Result<()> {
    walk(path, &mut |path, meta| {
        if meta.is_symlink() {
            return Ok(());
        }
        let mode = meta.permissions().mode();
        // No set-user-ID bits, and the same permissions for all as for the owner, except writing.
        let mode = (mode & 0o755) | 0o444 | if mode & 0o100 == 0 { 0 } else { 0o111 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    })
}

fn set_owner(path: &Path, user: u32) -> io::Result<()> {
    walk(path, &mut |path, _| std::os::unix::fs::lchown(path, Some(user), Some(user)))
}

/// Visits a path and everything below it, outer folders first.
pub(super) fn walk(
    path: &Path,
    visit: &mut dyn FnMut(&Path, &Metadata) -> io::Result<()>,
) -> io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    visit(path, &meta)?;
    if meta.is_dir() {
        for entry in fs::read_dir(path)? {
            walk(&entry?.path(), visit)?;
        }
    }
    Ok(())
}
