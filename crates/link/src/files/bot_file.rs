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

/// How files are opened that a stranger may control: no link is followed, and opening a pipe or a device does
/// not block.
const SAFE_FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    /// The path for error messages.
    pub(super) source: PathBuf,
    /// The folder that must contain the file, without links.
    pub(super) root: PathBuf,
    /// The path of the file within `root`, without links.
    pub(super) within: PathBuf,
    /// The path in the bot's working folder: relative, without `..`.
    pub(super) place: PathBuf,
}

impl SourceFile {
    /// Opens the file folder by folder, so that a component that has been replaced by a link since is not
    /// followed.
    pub(super) fn open(&self) -> Result<(File, Metadata), FilesError> {
        let failed = |error: rustix::io::Errno| match error {
            rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => {
                FilesError::Link(self.source.clone())
            }
            error => FilesError::Unreadable { path: self.source.clone(), error: error.into() },
        };
        let open = |folder: &OwnedFd, name: &OsStr, flags| {
            openat(folder, name, SAFE_FLAGS | flags, Mode::empty()).map_err(failed)
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

    /// Copies the file to a path where nothing exists. Returns how many of `remaining` bytes are left.
    pub(super) fn copy(&self, to: &Path, remaining: u64) -> Result<u64, FilesError> {
        let (opened, meta) = self.open()?;
        let mode = meta.permissions().mode() & 0o777;
        let copy = File::options().write(true).create_new(true).mode(0o600).open(to);
        let mut copy = copy.map_err(unreadable(to))?;
        let remaining =
            self.remaining_after(remaining, io::copy(&mut opened.take(remaining + 1), &mut copy))?;
        copy.set_permissions(fs::Permissions::from_mode(mode)).map_err(unreadable(to))?;
        Ok(remaining)
    }

    /// What is left of `remaining` after `taken` bytes. A caller reads up to one byte more than `remaining`.
    pub(super) fn remaining_after(
        &self,
        remaining: u64,
        taken: io::Result<u64>,
    ) -> Result<u64, FilesError> {
        let taken = taken.map_err(unreadable(&self.source))?;
        remaining.checked_sub(taken).ok_or_else(|| FilesError::TooMuch(self.source.clone()))
    }
}
