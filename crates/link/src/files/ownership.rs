//! Hands folders over to the user as which a bot runs, and takes them back.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Gives a folder with all that is in it to a user, if we are root and can.
pub(crate) fn give(path: &Path, user: u32) -> io::Result<()> {
    let can = rustix::process::geteuid().is_root() && user != 0;
    if can { set_owner(path, user) } else { Ok(()) }
}

/// Takes back what was given, once nobody works there any more: it is ours again, and everybody may read it who
/// can come there.
pub(crate) fn take_back(path: &Path) -> io::Result<()> {
    if rustix::process::geteuid().is_root() {
        set_owner(path, 0)?;
    }
    walk(path, &mut |path, meta| {
        if meta.is_symlink() {
            return Ok(());
        }
        let mode = meta.permissions().mode();
        // Nothing gains rights, and who may run or enter it is everybody who may read it.
        let mode = (mode & 0o755) | 0o444 | if mode & 0o100 == 0 { 0 } else { 0o111 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    })
}

fn set_owner(path: &Path, user: u32) -> io::Result<()> {
    walk(path, &mut |path, _| std::os::unix::fs::lchown(path, Some(user), Some(user)))
}

/// Everything below a path and the path itself, outer folders first.
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
