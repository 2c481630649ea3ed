//! The folder in which the tables of a server survive its restart.
//!
//! Each table is a file that only the server's user can read, because it has the seed and with it all hidden dice. A file is
//! replaced atomically after each action. A file that cannot be read is set aside and reported in the log.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use dicehill_store::LockedFile;
use dicehill_temporary::DraftFile;
use tracing::{info, warn};

use super::TableId;
use super::stored_table::{DamagedTable, StoredTable};

/// The extension of a table's file.
const EXTENSION: &str = "json";
/// The extension of a file that cannot be read.
const DAMAGED: &str = "damaged";
/// The file that is locked by the server whose tables these are.
const LOCK: &str = "lock";
/// The most bytes of a file. A game with the most turns has less than a hundred thousand.
const MAX_BYTES: u64 = 4 << 20;

/// The folder in which the tables of a server survive its restart.
pub(crate) struct TableFolder {
    path: PathBuf,
    state: Mutex<FolderState>,
}

/// What is known of the folder.
enum FolderState {
    /// It does not exist yet: it is created for the first table.
    Missing,
    /// It is locked for this server while the file is open.
    Locked { _lock: LockedFile },
    /// It is not used: another server has it, or it cannot be written.
    Unavailable,
}

impl TableFolder {
    /// The folder at `path`, which is created with the first table.
    pub(crate) const fn open(path: PathBuf) -> Self {
        Self { path, state: Mutex::new(FolderState::Missing) }
    }

    fn state(&self) -> MutexGuard<'_, FolderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables that were used less than `idle` before `now`. Files of others are removed, and those that `read` refuses are
    /// set aside.
    pub(crate) fn load<T>(
        &self,
        idle: Duration,
        now: SystemTime,
        read: impl Fn(TableId, StoredTable) -> Result<T, DamagedTable>,
    ) -> Vec<(TableId, T)> {
        if !self.path.is_dir() || !self.is_available() {
            return Vec::new();
        }
        let mut tables = Vec::new();
        for (id, path) in self.files() {
            let Some(id) = id else {
                warn!(file = %path.display(), "ignored: its name is not that of a table");
                continue;
            };
            if is_idle(&path, idle, now) {
                self.remove(id);
                continue;
            }
            match read_file(&path).and_then(|stored| read(id, stored)) {
                Ok(table) => tables.push((id, table)),
                Err(why) => set_aside(&path, &why),
            }
        }
        if !tables.is_empty() {
            info!(tables = tables.len(), folder = %self.path.display(), "tables continue");
        }
        tables
    }

    /// The files with the extension of a table, each with the table that it is named as, if it is.
    fn files(&self) -> Vec<(Option<TableId>, PathBuf)> {
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let named = |entry: fs::DirEntry| {
            let path = entry.path();
            path.extension().filter(|found| *found == EXTENSION)?;
            let id = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            Some((id, path))
        };
        let mut files: Vec<_> = entries.filter_map(Result::ok).filter_map(named).collect();
        files.sort_by(|(_, one), (_, other)| one.cmp(other));
        files
    }

    fn file_of(&self, id: TableId) -> PathBuf {
        self.path.join(format!("{id}.{EXTENSION}"))
    }

    /// Writes the file of a table. If that fails, the log has the reason, and the table continues in memory.
    pub(crate) fn save(&self, id: TableId, table: &StoredTable) {
        if !self.is_available() {
            return;
        }
        let path = self.file_of(id);
        let written = DraftFile::new_private(&path).and_then(|mut draft| {
            draft.file().write_all(&table.to_bytes())?;
            draft.persist()
        });
        if let Err(error) = written {
            let folder = self.path.display();
            warn!(%folder, %error, "a table cannot be saved: it would not survive a restart");
        }
    }

    /// Whether the folder can be written; creates it if it is missing.
    fn is_available(&self) -> bool {
        let mut state = self.state();
        if matches!(*state, FolderState::Missing) {
            *state = created(&self.path);
        }
        matches!(*state, FolderState::Locked { .. })
    }

    /// Removes the file of a table, if there is one.
    pub(crate) fn remove(&self, id: TableId) {
        if matches!(*self.state(), FolderState::Locked { .. }) {
            let _may_be_gone = fs::remove_file(self.file_of(id));
        }
    }
}

fn created(path: &Path) -> FolderState {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let created = builder.recursive(true).create(path);
    match created.and_then(|()| make_private(path)) {
        Ok(()) => locked(path),
        Err(error) => unavailable(path, &error),
    }
}

/// Takes from others all rights to a folder that was there before.
#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let metadata = fs::metadata(path)?;
    if !is_own(&metadata) {
        return Err(io::Error::other("it belongs to another user"));
    }
    if metadata.mode() & 0o077 != 0 {
        let folder = path.display();
        warn!(%folder, "others had access to the folder of tables: now it is private (mode 0700)");
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Elsewhere the folder has the access rights of the one above it.
#[cfg(not(unix))]
fn make_private(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn is_own(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(metadata) == rustix::process::geteuid().as_raw()
}

/// Whether users other than the server's may have written the file.
#[cfg(unix)]
fn is_open_to_others(metadata: &Metadata) -> bool {
    !is_own(metadata) || std::os::unix::fs::MetadataExt::mode(metadata) & 0o022 != 0
}

#[cfg(not(unix))]
const fn is_open_to_others(_metadata: &Metadata) -> bool {
    false
}

/// Locks the folder, so that no other server changes its files.
fn locked(path: &Path) -> FolderState {
    let lock = path.join(LOCK);
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.write(true).create(true).truncate(false).open(lock);
    let locked = opened.and_then(|file| {
        file.try_lock().map_err(|error| match error {
            fs::TryLockError::WouldBlock => io::Error::other("another server uses this folder"),
            fs::TryLockError::Error(error) => error,
        })?;
        Ok(LockedFile::new(file))
    });
    match locked {
        Ok(lock) => FolderState::Locked { _lock: lock },
        Err(error) => unavailable(path, &error),
    }
}

fn unavailable(path: &Path, error: &io::Error) -> FolderState {
    let folder = path.display();
    warn!(%folder, %error, "tables end with this server: their folder cannot be used");
    FolderState::Unavailable
}

fn is_idle(path: &Path, idle: Duration, now: SystemTime) -> bool {
    let used = fs::metadata(path).and_then(|metadata| metadata.modified());
    used.is_ok_and(|used| now.duration_since(used).is_ok_and(|since| since >= idle))
}

fn read_file(path: &Path) -> Result<StoredTable, DamagedTable> {
    let failed = |error: io::Error| DamagedTable::Json(error.to_string());
    let metadata = fs::symlink_metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(DamagedTable::Json("not a regular file".to_owned()));
    }
    if is_open_to_others(&metadata) {
        return Err(DamagedTable::Json("others could write it".to_owned()));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes))
        .map_err(failed)?;
    StoredTable::read(&bytes)
}

/// Renames a file that cannot be read, so that its content is not lost.
fn set_aside(path: &Path, why: &DamagedTable) {
    let aside = path.with_extension(DAMAGED);
    let renamed = fs::rename(path, &aside);
    let (file, aside) = (path.display(), aside.display());
    match renamed {
        Ok(()) => warn!(%file, %why, %aside, "a table cannot be read and was set aside"),
        Err(error) => warn!(%file, %why, %error, "a table cannot be read"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_other_names_are_known_so_that_the_log_can_name_them() {
        let folder = tempfile::tempdir().unwrap();
        let names =
            ["0000000000000000000000000000002a.json", "copy of a table.json", "lock", "notes.txt"];
        names.iter().for_each(|name| fs::write(folder.path().join(name), "{}").unwrap());
        let files = TableFolder::open(folder.path().to_owned()).files();
        let named = |(id, path): &(Option<TableId>, PathBuf)| {
            (id.is_some(), path.file_name().unwrap().to_owned())
        };
        let expected = [(true, names[0].into()), (false, names[1].into())];
        assert_eq!(files.iter().map(named).collect::<Vec<_>>(), expected);
    }
}
