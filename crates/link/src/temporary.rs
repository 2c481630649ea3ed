//! Folders that are somebody's for a while, and are removed whatever was made of them.

use std::ffi::{CString, OsString};
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, Dir, Mode, OFlags, RenameFlags, chmodat, openat, renameat_with, unlinkat,
};
use rustix::io::Errno;
use tempfile::TempDir;

/// How the names of these folders begin.
const PREFIX: &str = "dicehill-";
/// The folder that is given away. The one around it stays ours, so that nobody else on the machine comes in,
/// whatever is allowed inside.
const INNER: &str = "own";
/// How a folder is opened that may be a stranger's.
pub(crate) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A folder that is gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Temporary {
    outer: PathBuf,
    inner: PathBuf,
}

impl Temporary {
    /// One among the system's temporary files.
    pub(crate) fn new() -> io::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    /// One in this folder.
    pub(crate) fn within(place: &Path) -> io::Result<Self> {
        let outer = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
        let outer = TempDir::keep(outer);
        let temporary = Self { inner: outer.join(INNER), outer };
        if rustix::process::geteuid().is_root() {
            // The user to whom it is given has to come through.
            fs::set_permissions(&temporary.outer, fs::Permissions::from_mode(0o711))?;
        }
        fs::create_dir(&temporary.inner)?;
        Ok(temporary)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.inner
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _best_effort = remove_tree(&self.outer);
    }
}

/// Removes what somebody who is gone has had for a while; all other paths are left alone.
pub(crate) fn remove_abandoned(inner: &Path) {
    let Some(outer) = inner.parent().filter(|_| inner.ends_with(INNER)) else { return };
    let name = outer.file_name().unwrap_or_default().as_encoded_bytes();
    if name.starts_with(PREFIX.as_bytes()) {
        let _best_effort = remove_tree(outer);
    }
}

/// Removes a folder with all that is in it, however deep and whatever its modes are. Folders in it are moved up
/// before they are emptied, so that no path grows long, and no link is followed.
///
/// # Errors
/// If something cannot be removed.
fn remove_tree(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    let top = rustix::fs::open(path, FOLDER, Mode::empty())?;
    let mut moved = u64::from(std::process::id()) << 32;
    loop {
        let names = names(&top)?;
        if names.is_empty() {
            return fs::remove_dir(path);
        }
        for name in names {
            if !remove_file(&top, &name)? {
                let folder = openat(&top, &*name, FOLDER, Mode::empty())?;
                for inner in self::names(&folder)? {
                    if !remove_file(&folder, &inner)? {
                        move_up(&folder, &inner, &top, &mut moved)?;
                    }
                }
                unlinkat(&top, &*name, AtFlags::REMOVEDIR)?;
            }
        }
    }
}

/// Removes it if it is no folder; a folder is opened to us instead.
fn remove_file(at: &impl AsFd, name: &CString) -> io::Result<bool> {
    match unlinkat(at, &**name, AtFlags::empty()) {
        Ok(()) => Ok(true),
        Err(Errno::ISDIR | Errno::PERM) => {
            chmodat(at, &**name, Mode::RWXU, AtFlags::empty())?;
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Moves a folder to the top, under a name that nothing has there.
fn move_up(from: &impl AsFd, name: &CString, top: &impl AsFd, moved: &mut u64) -> io::Result<()> {
    loop {
        *moved += 1;
        let free = OsString::from(format!("{PREFIX}{moved}"));
        match renameat_with(from, &**name, top, &free, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            other => return other.map_err(io::Error::from),
        }
    }
}

/// What is in a folder.
fn names(folder: &impl AsFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let name = entry?.file_name().to_owned();
        if name.as_bytes() != b"." && name.as_bytes() != b".." {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use rustix::fs::mkdirat;

    use super::*;

    #[test]
    fn what_is_deep_is_removed() {
        let temporary = Temporary::new().unwrap();
        let outer = temporary.outer.clone();
        let mut at = rustix::fs::open(temporary.path(), FOLDER, Mode::empty()).unwrap();
        for _ in 0..5000 {
            mkdirat(&at, "a-name-of-some-length", Mode::RWXU).unwrap();
            at = openat(&at, "a-name-of-some-length", FOLDER, Mode::empty()).unwrap();
        }
        drop(temporary);
        assert!(!outer.exists());
    }

    #[test]
    fn what_cannot_be_entered_is_removed() {
        let temporary = Temporary::new().unwrap();
        let outer = temporary.outer.clone();
        let closed = temporary.path().join("a/b/c");
        fs::create_dir_all(&closed).unwrap();
        fs::write(closed.join("file"), "").unwrap();
        for folder in ["a/b/c", "a/b", "a", ""] {
            let none = fs::Permissions::from_mode(0o0);
            fs::set_permissions(temporary.path().join(folder), none).unwrap();
        }
        drop(temporary);
        assert!(!outer.exists());
    }

    #[test]
    fn links_are_not_followed() {
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join("file"), "kept").unwrap();
        let temporary = Temporary::new().unwrap();
        std::os::unix::fs::symlink(other.path(), temporary.path().join("link")).unwrap();
        fs::create_dir(temporary.path().join("folder")).unwrap();
        std::os::unix::fs::symlink(other.path(), temporary.path().join("folder/link")).unwrap();
        drop(temporary);
        assert_eq!(fs::read_to_string(other.path().join("file")).unwrap(), "kept");
    }

    #[test]
    fn only_what_is_ours_counts_as_abandoned() {
        let other = tempfile::tempdir().unwrap();
        let inner = other.path().join(INNER);
        fs::create_dir(&inner).unwrap();
        remove_abandoned(&inner);
        assert!(inner.exists());
        let temporary = Temporary::new().unwrap();
        remove_abandoned(temporary.path());
        assert!(!temporary.outer.exists());
    }
}
