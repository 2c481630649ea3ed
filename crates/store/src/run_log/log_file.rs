//! The file of a run log: locked, begun or continued, and hashed while it is written.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use dicehill_arena::thousands;
use dicehill_temporary::sync_folder_of;

use super::log_reader::LogReader;
use super::torn_header::{HEADER_BEGINS, has_no_game};
use crate::files::file_access::{is_at, is_deleted};
use crate::files::locked_file::LockedFile;
use crate::{FileError, command_word};

/// A locked file, and the hash over everything in it. After the first failure nothing more is written: what the system
/// could not store may be missing, although it would report later data as stored.
pub(crate) struct HashedFile {
    path: PathBuf,
    file: LockedFile,
    /// The bytes in the file.
    length: u64,
    hasher: Box<blake3::Hasher>,
    has_failed: bool,
}

impl HashedFile {
    /// Wraps an empty file.
    pub(crate) fn new(path: &Path, file: LockedFile) -> Self {
        Self::resumed(path, file, 0, Box::default())
    }

    /// Wraps a file of `length` bytes that `hasher` has read.
    pub(crate) fn resumed(
        path: &Path,
        file: LockedFile,
        length: u64,
        hasher: Box<blake3::Hasher>,
    ) -> Self {
        Self { path: path.to_owned(), file, length, hasher, has_failed: false }
    }

    /// The hasher that has read everything in the file.
    pub(crate) const fn hasher(&self) -> &blake3::Hasher {
        &self.hasher
    }

    pub(crate) fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    /// Whether the file can be continued later: it is no pipe, and no other program has deleted, moved or changed it.
    pub(crate) fn is_intact(&self) -> bool {
        let is_intact = |meta: Metadata| {
            meta.is_file() && disturbance(&self.path, self.length, &meta).is_none()
        };
        self.file.metadata().is_ok_and(is_intact)
    }

    /// Syncs the content, if the file is on a disk.
    ///
    /// # Errors
    /// If it could not be stored, or the file was deleted, moved or changed by another program.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        let (path, length) = (self.path.clone(), self.length);
        self.once_failed(|file| {
            match file.sync_data() {
                // A pipe or a terminal cannot be synced.
                Err(error) if error.kind() == ErrorKind::InvalidInput => return Ok(()),
                synced => synced?,
            }
            match disturbance(&path, length, &file.metadata()?) {
                Some(what) => {
                    Err(io::Error::other(format!("was {what} while the run was being played")))
                }
                None => Ok(()),
            }
        })
    }

    /// Does nothing after a failure.
    fn once_failed<T>(
        &mut self,
        act: impl FnOnce(&mut LockedFile) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.has_failed {
            return Err(io::Error::other(
                "not written, because an earlier part could not be stored",
            ));
        }
        let done = act(&mut self.file);
        let is_failure = |error: &io::Error| error.kind() != ErrorKind::Interrupted;
        self.has_failed = done.as_ref().is_err_and(is_failure);
        done
    }
}

/// What another program has done to an open file of `length` bytes.
fn disturbance(path: &Path, length: u64, meta: &Metadata) -> Option<&'static str> {
    match meta.is_file() {
        true if is_deleted(meta) => Some("deleted"),
        true if !is_at(path, meta) => Some("moved or replaced"),
        true if meta.len() != length => Some("changed by another program"),
        true | false => None,
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.once_failed(|file| file.write(bytes))?;
        self.length += written as u64;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.once_failed(|file| file.flush())
    }
}

/// Opens the log that `stored` has read and truncates it to its first `length` bytes, which `hasher` has read.
pub(super) fn open_at(
    path: &Path,
    stored: &LogReader,
    (length, hasher): (u64, Box<blake3::Hasher>),
) -> Result<HashedFile, FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
    let mut file = lock(path, file)?;
    // The lock came after the log was read.
    if file.metadata().map_err(failed)?.len() != stored.file_bytes() {
        return Err(FileError::busy(path, "another run has written to it: try again"));
    }
    file.set_len(length).and_then(|()| file.sync_all()).map_err(failed)?;
    file.seek(SeekFrom::End(0)).map_err(failed)?;
    Ok(HashedFile::resumed(path, file, length, hasher))
}

/// Options by which a new file is readable by its owner only: a log holds the secret of its run.
#[cfg(unix)]
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, OWNER_ONLY);
    options
}

/// Elsewhere a file has the access rights of its folder.
#[cfg(not(unix))]
fn private() -> OpenOptions {
    OpenOptions::new()
}

/// Makes a file that existed before readable by its owner only.
#[cfg(unix)]
fn make_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(OWNER_ONLY))
}

#[cfg(not(unix))]
fn make_private(_file: &File) -> io::Result<()> {
    Ok(())
}

/// The permissions of a log.
#[cfg(unix)]
const OWNER_ONLY: u32 = 0o600;

/// Opens an empty file to append to, and creates it if it does not exist.
pub(super) fn create_empty(path: &Path) -> Result<LockedFile, FileError> {
    let failed = |error: io::Error| FileError::new(path, error);
    let file = open_locked(path)?;
    let meta = file.metadata().map_err(failed)?;
    if meta.is_file() && meta.len() > 0 && !has_no_game(path) {
        return Err(occupied(path, meta.len()));
    }
    if meta.is_file() {
        keep_private(path, &file)?;
    }
    if meta.is_file() && meta.len() > 0 {
        file.set_len(0).map_err(failed)?;
    }
    Ok(file)
}

/// The error for a file that is not empty.
fn occupied(path: &Path, bytes: u64) -> FileError {
    let shown = command_word(path);
    let remedy = if begins_as_log(path) {
        format!(
            "`dicehill resume {shown}` continues the run in it; to overwrite it, remove the file \
             first; or choose another name"
        )
    } else {
        "it is not a run log: choose another name".to_owned()
    };
    FileError::new(path, format!("exists already, with {} bytes: {remedy}", thousands(bytes)))
}

fn begins_as_log(path: &Path) -> bool {
    let mut begins = [0; HEADER_BEGINS.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut begins));
    read.is_ok() && begins == HEADER_BEGINS
}

/// Opens a file to append to that is locked, and creates it, readable by its owner only, if it does not exist.
pub(crate) fn open_locked(path: &Path) -> Result<LockedFile, FileError> {
    let file = private().append(true).create(true).open(path);
    lock(path, file.map_err(|error| FileError::not_written(path, &error))?)
}

/// Makes a regular file readable by its owner only, and syncs its name: otherwise a power failure could remove the file with
/// what was synced in it.
pub(crate) fn keep_private(path: &Path, file: &File) -> Result<(), FileError> {
    let kept = make_private(file).and_then(|()| sync_folder_of(path));
    kept.map_err(|error| FileError::new(path, error))
}

/// Locks the file, so that two processes never write to one log.
fn lock(path: &Path, file: File) -> Result<LockedFile, FileError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(FileError::busy(path, "another run is writing to it")),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(LockedFile::new(file)),
    }
}
