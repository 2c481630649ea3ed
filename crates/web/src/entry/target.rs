//! The folder into which an archive is unpacked.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::member_path::MemberPath;
use super::unpack::UnpackError;

/// The most files and folders of a bot.
pub(crate) const MOST_FILES: usize = 2_000;
/// The most bytes of them together.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// The folder into which an archive is unpacked; what is written there is counted.
pub(crate) struct Target<'a> {
    folder: &'a Path,
    /// What is there, by its path in small letters.
    present: HashMap<String, Present>,
    members: usize,
    bytes: u64,
}

struct Present {
    path: String,
    is_folder: bool,
}

/// A file of an archive.
pub(crate) struct Member<R> {
    pub(crate) path: MemberPath,
    pub(crate) is_executable: bool,
    /// How long the archive says that it is.
    pub(crate) declared: u64,
    pub(crate) content: R,
}

impl<'a> Target<'a> {
    /// An empty folder, which nobody else can write to.
    pub(crate) fn new(folder: &'a Path) -> Self {
        Self { folder, present: HashMap::new(), members: 0, bytes: 0 }
    }

    /// Counts a member of the archive, whatever it is.
    pub(crate) fn count(&mut self) -> Result<(), UnpackError> {
        self.members += 1;
        if self.members > MOST_FILES { Err(UnpackError::TooManyFiles) } else { Ok(()) }
    }

    /// Makes a folder, unless it is there.
    pub(crate) fn add_folder(&mut self, path: &MemberPath) -> Result<(), UnpackError> {
        self.add_folders(path)?;
        self.make_folder(path.as_str())
    }

    /// Writes a file.
    pub(crate) fn add_file<R: Read>(&mut self, member: Member<R>) -> Result<(), UnpackError> {
        let Member { path, is_executable, declared, content } = member;
        if path.is_clutter() {
            return Ok(());
        }
        self.add_folders(&path)?;
        self.claim(path.as_str(), false)?;
        let mode = if is_executable { 0o755 } else { 0o644 };
        let place = self.folder.join(path.as_str());
        let file = File::options().write(true).create_new(true).mode(mode).open(place)?;
        let written = self.copy(content, declared, file)?;
        if written == declared { Ok(()) } else { Err(UnpackError::Size(path.as_str().to_owned())) }
    }

    /// Copies a file as far as there is room; gives its bytes, one more than `declared` at most.
    fn copy(
        &mut self,
        content: impl Read,
        declared: u64,
        mut file: File,
    ) -> Result<u64, UnpackError> {
        let room = MOST_BYTES - self.bytes;
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
            if self.bytes > MOST_BYTES {
                return Err(UnpackError::TooLarge);
            }
            file.write_all(&buffer[..read])?;
        }
    }

    fn add_folders(&mut self, path: &MemberPath) -> Result<(), UnpackError> {
        path.folders().try_for_each(|folder| self.make_folder(folder))
    }

    fn make_folder(&mut self, path: &str) -> Result<(), UnpackError> {
        match self.present.get(&path.to_lowercase()) {
            Some(there) if there.is_folder && there.path == path => Ok(()),
            Some(_) => Err(UnpackError::Twice(path.to_owned())),
            None => {
                self.claim(path, true)?;
                Ok(fs::create_dir(self.folder.join(path))?)
            }
        }
    }

    fn claim(&mut self, path: &str, is_folder: bool) -> Result<(), UnpackError> {
        // Archives need not list the folders of their files.
        if self.present.len() >= 2 * MOST_FILES {
            return Err(UnpackError::TooManyFiles);
        }
        let there = Present { path: path.to_owned(), is_folder };
        match self.present.insert(path.to_lowercase(), there) {
            None => Ok(()),
            Some(_) => Err(UnpackError::Twice(path.to_owned())),
        }
    }
}
