//! The working folder of a bot.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use dicehill_temporary::TemporaryFolder;

use super::bot_files::BotFiles;
use super::ownership::{hand_over, share, walk};
use crate::process::disk_usage::DiskUsage;

/// The working folder of a bot: a copy of its files, removed on drop.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    folder: TemporaryFolder,
    initial_usage: DiskUsage,
}

impl WorkFolder {
    /// Copies `files` into a new folder. If the arena runs as root, it belongs to `user` if it is `writable`; else it
    /// is read-only, for the group of that number.
    pub(crate) fn new(files: &BotFiles, writable: bool, user: Option<u32>) -> io::Result<Self> {
        let folder = TemporaryFolder::new()?;
        files.copy_to(folder.path())?;
        if !writable {
            make_read_only(folder.path())?;
        }
        match user {
            Some(user) if writable => hand_over(folder.path(), user)?,
            Some(group) => share(folder.path(), group)?,
            None => {}
        }
        let initial_usage = DiskUsage::of([folder.path()]);
        Ok(Self { folder, initial_usage })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Makes the folder accessible to its user again, whatever mode the bot has given it.
    pub(crate) fn allow_entry(&self) -> io::Result<()> {
        fs::set_permissions(self.path(), fs::Permissions::from_mode(0o700))
    }

    /// The disk usage of the folder right after the copy.
    pub(crate) const fn initial_usage(&self) -> DiskUsage {
        self.initial_usage
    }
}

/// Makes a copy read-only to which no process has had access yet.
fn make_read_only(path: &Path) -> io::Result<()> {
    walk(path, &mut |path, meta| {
        let mode = meta.permissions().mode() & !0o222;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    })
}
