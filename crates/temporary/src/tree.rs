//! A folder removed with all that is in it.

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{
    AtFlags, Dir, Mode, OFlags, RenameFlags, chmodat, fchmod, openat, renameat_with, unlinkat,
};
use rustix::io::Errno;

/// How a folder is opened that may be a stranger's.
pub const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Removes a folder with all that is in it, however deep and whatever its modes are. Folders in it are moved up
/// before they are emptied, so that no path grows long, and no link is followed.
/// `top` is the folder, opened, which has the name `name` in the folder `at`.
///
/// # Errors
/// If something cannot be removed.
pub(crate) fn remove_tree(at: &impl AsFd, name: &Path, top: &impl AsFd) -> io::Result<()> {
    fchmod(top, Mode::RWXU)?;
    let mut moved = u64::from(std::process::id()) << 32;
    loop {
        let names = names(top)?;
        if names.is_empty() {
            return Ok(unlinkat(at, name, AtFlags::REMOVEDIR)?);
        }
        names.iter().try_for_each(|inner| remove_entry(top, inner, &mut moved))?;
    }
}

/// Removes an entry of the top; the folders in it are moved up.
fn remove_entry(top: &impl AsFd, name: &CString, moved: &mut u64) -> io::Result<()> {
    if remove_file(top, name)? {
        return Ok(());
    }
    let folder = openat(top, &**name, FOLDER, Mode::empty())?;
    for inner in names(&folder)? {
        if !remove_file(&folder, &inner)? {
            move_up(&folder, &inner, top, moved)?;
        }
    }
    Ok(unlinkat(top, &**name, AtFlags::REMOVEDIR)?)
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
        let free = OsString::from(format!("dicehill-{moved}"));
        match renameat_with(from, &**name, top, &free, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            other => return other.map_err(io::Error::from),
        }
    }
}

/// What is in a folder.
pub(crate) fn names(folder: &impl AsFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let name = entry?.file_name().to_owned();
        if name.as_bytes() != b"." && name.as_bytes() != b".." {
            names.push(name);
        }
    }
    Ok(names)
}
