//! The folder into which an upload is unpacked.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use super::member_path::MemberPath;
use super::unpack_error::{MAX_BYTES, MAX_FILES, UnpackError};

/// The folder into which an upload is unpacked. It counts files and bytes, and refuses what exceeds the limits.
pub(super) struct UnpackFolder<'a> {
    folder: &'a Path,
    /// The files and folders written so far, by path without regard to case.
    present: HashMap<String, Present>,
    members: usize,
    bytes: u64,
}

struct Present {
    path: String,
    is_folder: bool,
}

/// A file of an archive.
pub(super) struct ArchiveMember<R> {
    pub(super) path: MemberPath,
    pub(super) is_executable: bool,
    /// Its length in bytes as the archive declares it.
    pub(super) declared: u64,
    pub(super) content: R,
}

impl<'a> UnpackFolder<'a> {
    /// An empty folder that no other process can write to.
    pub(super) fn new(folder: &'a Path) -> Self {
        Self { folder, present: HashMap::new(), members: 0, bytes: 0 }
    }

    /// Counts a member of the archive of any kind.
    pub(super) fn count(&mut self) -> Result<(), UnpackError> {
        self.members += 1;
        if self.members > MAX_FILES { Err(UnpackError::TooManyFiles) } else { Ok(()) }
    }

    /// Creates a folder unless it exists.
    pub(super) fn add_folder(&mut self, path: &MemberPath) -> Result<(), UnpackError> {
        self.add_folders(path)?;
        self.make_folder(path.as_str())
    }

    /// Writes a file.
    pub(super) fn add_file<R: Read>(
        &mut self,
        member: ArchiveMember<R>,
    ) -> Result<(), UnpackError> {
        let ArchiveMember { path, is_executable, declared, content } = member;
        if path.is_clutter() {
            return Ok(());
        }
        self.add_folders(&path)?;
        self.claim(path.as_str(), false)?;
        let place = self.folder.join(path.as_str());
        let file = new_file(is_executable).open(place)?;
        let written = self.copy(content, declared, file)?;
        if written == declared { Ok(()) } else { Err(UnpackError::Size(path.as_str().to_owned())) }
    }

    /// Copies a file; returns its length, of which at most one byte more than `declared` is read.
    fn copy(
        &mut self,
        content: impl Read,
        declared: u64,
        mut file: File,
    ) -> Result<u64, UnpackError> {
        let room = MAX_BYTES - self.bytes;
        if declared > room {
            return Err(UnpackError::TooLarge);
        }
        let mut content = content.take(declared.saturating_add(1));
        let mut buffer = vec![0; 64 << 10];
        let mut written = 0;
        loop {
            let read = content.read(&mut buffer).map_err(UnpackError::Broken)?;
            if read == 0 {
                return Ok(written);
            }
            written += read as u64;
            self.bytes += read as u64;
            if self.bytes > MAX_BYTES {
                return Err(UnpackError::TooLarge);
            }
            file.write_all(&buffer[..read])?;
        }
    }

    fn add_folders(&mut self, path: &MemberPath) -> Result<(), UnpackError> {
        path.folders().try_for_each(|folder| self.make_folder(folder))
    }

    fn make_folder(&mut self, path: &str) -> Result<(), UnpackError> {
        match self.present.get(&without_case(path)) {
            Some(there) if there.is_folder && there.path == path => Ok(()),
            Some(_) => Err(UnpackError::Twice(path.to_owned())),
            None => {
                self.claim(path, true)?;
                Ok(fs::create_dir(self.folder.join(path))?)
            }
        }
    }

    fn claim(&mut self, path: &str, is_folder: bool) -> Result<(), UnpackError> {
        // Archives need not list the folders of their files, so that `count` does not see them.
        if self.present.len() >= MAX_FILES {
            return Err(UnpackError::TooManyFiles);
        }
        let there = Present { path: path.to_owned(), is_folder };
        match self.present.insert(without_case(path), there) {
            None => Ok(()),
            Some(_) => Err(UnpackError::Twice(path.to_owned())),
        }
    }
}

/// The same text for paths that differ only in case, `ß` and `SS` included.
fn without_case(path: &str) -> String {
    path.to_uppercase().to_lowercase()
}

/// Options to create a file of an archive.
#[cfg_attr(not(unix), expect(unused_variables, reason = "files are programs by their names there"))]
fn new_file(is_executable: bool) -> OpenOptions {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(
        &mut options,
        if is_executable { 0o755 } else { 0o644 },
    );
    options
}
