//! Removing a folder with everything in it.

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{
    AtFlags, Dir, Mode, OFlags, RenameFlags, chmodat, fchmod, openat, renameat_with, unlinkat,
};
use rustix::io::Errno;

/// The flags to open a folder of another user: links are not followed.
pub const OPEN_FOLDER_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Removes a folder with everything in it, at any depth and with any permissions. Inner folders are moved up before they are
/// emptied, so that paths stay short, and links are not followed. `top` is the opened folder, and `name` its name in the
/// folder `at`.
///
/// # Errors
/// If an entry cannot be removed.
pub(crate) fn remove_tree(at: &impl AsFd, name: &Path, top: &impl AsFd) -> io::Result<()> {
    fchmod(top, Mode::RWXU)?;
    let mut moved = u64::from(std::process::id()) << 32;
    loop {
        let names = entry_names(top)?;
        if names.is_empty() {
            return Ok(unlinkat(at, name, AtFlags::REMOVEDIR)?);
        }
        names.iter().try_for_each(|inner| remove_entry(top, inner, &mut moved))?;
    }
}

/// Removes an entry of the top folder. Folders in the entry are moved up.
fn remove_entry(top: &impl AsFd, name: &CString, moved: &mut u64) -> io::Result<()> {
    if remove_file(top, name)? {
        return Ok(());
    }
    let folder = openat(top, &**name, OPEN_FOLDER_FLAGS, Mode::empty())?;
    for inner in entry_names(&folder)? {
        if !remove_file(&folder, &inner)? {
            move_up(&folder, &inner, top, moved)?;
        }
    }
    Ok(unlinkat(top, &**name, AtFlags::REMOVEDIR)?)
}

/// Removes an entry and returns true, unless it is a folder, to which the owner gets full access instead.
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

/// Moves a folder to the top folder, under a name that does not exist there.
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

/// The names of the entries of a folder.
pub(crate) fn entry_names(folder: &impl AsFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let name = entry?.file_name().to_owned();
        if name.as_bytes() != b"." && name.as_bytes() != b".." {
            names.push(name);
        }
    }
    Ok(names)
}
