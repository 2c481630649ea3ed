//! One file of a bot, opened without following links.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, openat};

use super::error::{FilesError, unreadable};

/// How a stranger's file is opened: no link is followed, and no pipe or device is waited for.
const SAFELY: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

#[derive(Clone, Debug)]
pub(super) struct OneFile {
    /// As it is called in errors.
    pub(super) source: PathBuf,
    /// The folder that nothing leads out of.
    pub(super) root: PathBuf,
    /// Where in it the file is, without links.
    pub(super) within: PathBuf,
    /// Relative, without `..`.
    pub(super) place: PathBuf,
}

impl OneFile {
    /// Opens it folder by folder, so that nothing that has become a link meanwhile is followed.
    pub(super) fn open(&self) -> Result<(File, Metadata), FilesError> {
        let failed = |error: rustix::io::Errno| match error {
            rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => {
                FilesError::Link(self.source.clone())
            }
            error => FilesError::Unreadable { path: self.source.clone(), error: error.into() },
        };
        let open = |folder: &OwnedFd, name: &OsStr, flags| {
            openat(folder, name, SAFELY | flags, Mode::empty()).map_err(failed)
        };
        let folder = OFlags::DIRECTORY;
        let root = OFlags::RDONLY | OFlags::CLOEXEC | folder;
        let mut at = rustix::fs::open(&self.root, root, Mode::empty()).map_err(failed)?;
        for name in self.within.parent().into_iter().flatten() {
            at = open(&at, name, folder)?;
        }
        let name = self.within.file_name().unwrap_or_default();
        let file = File::from(open(&at, name, OFlags::empty())?);
        let meta = file.metadata().map_err(unreadable(&self.source))?;
        if meta.is_file() { Ok((file, meta)) } else { Err(FilesError::NoFile(self.source.clone())) }
    }

    /// Copies it to where nothing is; says how many of `room` bytes are left.
    pub(super) fn copy(&self, to: &Path, room: u64) -> Result<u64, FilesError> {
        let (opened, meta) = self.open()?;
        let mode = meta.permissions().mode() & 0o777;
        let copy = File::options().write(true).create_new(true).mode(0o600).open(to);
        let mut copy = copy.map_err(unreadable(to))?;
        let room = self.rest(room, io::copy(&mut opened.take(room + 1), &mut copy))?;
        copy.set_permissions(fs::Permissions::from_mode(mode)).map_err(unreadable(to))?;
        Ok(room)
    }

    /// What is left of the room for all files, of which one more byte than is left may be taken.
    pub(super) fn rest(&self, room: u64, taken: io::Result<u64>) -> Result<u64, FilesError> {
        let taken = taken.map_err(unreadable(&self.source))?;
        room.checked_sub(taken).ok_or_else(|| FilesError::TooMuch(self.source.clone()))
    }
}
