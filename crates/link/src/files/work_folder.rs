//! The working folder of a bot.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use dicehill_temporary::Temporary;

use super::bot_files::Files;
use super::ownership::{give, walk};
use crate::process::disk_usage::Stock;

/// The folder in which a bot works: a copy of its files that is gone afterwards.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    folder: Temporary,
    stock: Stock,
}

impl WorkFolder {
    /// A copy of `files` for a user, which can be written only if `writable`.
    pub(crate) fn new(files: &Files, writable: bool, user: Option<u32>) -> io::Result<Self> {
        let folder = Temporary::new()?;
        files.copy_to(folder.path())?;
        if !writable {
            make_read_only(folder.path())?;
        }
        if let Some(user) = user {
            give(folder.path(), user)?;
        }
        let stock = Stock::of([folder.path()]);
        Ok(Self { folder, stock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Lets its user enter it, whatever the bot has made of its mode.
    pub(crate) fn allow_entry(&self) -> io::Result<()> {
        fs::set_permissions(self.path(), fs::Permissions::from_mode(0o700))
    }

    /// What lay there at the beginning.
    pub(crate) const fn stock(&self) -> Stock {
        self.stock
    }
}

/// Of a copy that nobody else has had yet.
fn make_read_only(path: &Path) -> io::Result<()> {
    walk(path, &mut |path, meta| {
        let mode = meta.permissions().mode() & !0o222;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    })
}
