//! Hands folders over to the user as which a bot runs, and takes them back.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

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

/// The outermost folder around this one that a user, with the group of the same number, may not enter.
pub(crate) fn closed_above(folder: &Path, user: u32) -> Option<PathBuf> {
    let around: Vec<_> = folder.ancestors().skip(1).collect();
    let is_closed = |folder: &&&Path| {
        folder.metadata().is_ok_and(|found| {
            let bit = match (found.uid() == user, found.gid() == user) {
                (true, _) => 0o100,
                (false, true) => 0o010,
                (false, false) => 0o001,
            };
            found.mode() & bit == 0
        })
    };
    around.iter().rev().find(is_closed).map(|folder| folder.to_path_buf())
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

#[cfg(test)]
mod tests {
    use std::fs::Permissions;

    use super::*;

    /// A user that owns nothing.
    const OTHER: u32 = 0x7000_0000;

    #[test]
    fn a_folder_that_a_user_may_not_enter_is_found() {
        let outer = tempfile::tempdir().unwrap();
        let (middle, inner) = (outer.path().join("a"), outer.path().join("a/b"));
        fs::create_dir_all(&inner).unwrap();
        let above = closed_above(outer.path(), OTHER);
        let with_modes = |modes: [u32; 2], user: u32| {
            for (folder, mode) in [outer.path(), &middle].into_iter().zip(modes) {
                fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
            }
            closed_above(&inner, user)
        };
        assert_eq!(with_modes([0o711, 0o711], OTHER), above);
        let around = |folder: &Path| above.clone().or_else(|| Some(folder.to_owned()));
        assert_eq!(with_modes([0o711, 0o710], OTHER), around(&middle));
        assert_eq!(with_modes([0o700, 0o700], OTHER), around(outer.path()));
        let owner = outer.path().metadata().unwrap().uid();
        assert_eq!(with_modes([0o700, 0o700], owner), None, "its owner may enter it");
    }
}
