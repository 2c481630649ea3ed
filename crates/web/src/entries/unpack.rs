//! Unpacks uploads: a single file or an archive, which may be malicious.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use tar::EntryType;
use zip::read::ZipReadOptions;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipArchive};

use super::member_path::MemberPath;
use super::unpack_error::{MAX_BYTES, MAX_FILES, UnpackError};
use super::unpack_folder::{ArchiveMember, UnpackFolder};

/// Bytes of an unpacked tar in addition to those of its files: headers, long names, padding.
const TAR_OVERHEAD: u64 = MAX_FILES as u64 * 4096;
/// The bits of a mode that are the file type, and their values for a regular file and for a folder.
const KIND: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;

/// Extensions of archives. No program has one of these.
const ARCHIVES: [&str; 10] = ["zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "txz"];

/// The kind of an upload, by its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Zip,
    Tar,
    Gzip,
    /// Anything else: a single file.
    Single,
}

impl Content {
    pub(super) fn of(file: &mut File) -> io::Result<Self> {
        let mut head = [0; 512];
        let mut read = 0;
        file.rewind()?;
        while read < head.len() {
            match file.read(&mut head[read..])? {
                0 => break,
                more => read += more,
            }
        }
        file.rewind()?;
        Ok(Self::of_head(&head[..read]))
    }

    fn of_head(head: &[u8]) -> Self {
        if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            Self::Zip
        } else if head.starts_with(b"\x1f\x8b") {
            Self::Gzip
        } else if head.get(257..262) == Some(b"ustar") {
            Self::Tar
        } else {
            Self::Single
        }
    }
}

/// Unpacks an upload into an empty folder; a single file is stored under `name`, which must be safe. Returns the folder
/// of the bot: the only folder at the top, or the top itself.
///
/// # Errors
/// If the upload is refused, or cannot be written.
pub(super) fn unpack(upload: &mut File, name: &str, folder: &Path) -> Result<PathBuf, UnpackError> {
    let mut target = UnpackFolder::new(folder);
    match Content::of(upload)? {
        Content::Zip if is_jar(upload, name)? => copy_single(upload, name, &mut target)?,
        Content::Zip => unpack_zip(upload, &mut target)?,
        Content::Tar => unpack_tar(BufReader::new(upload), &mut target)?,
        Content::Gzip => unpack_gzip(upload, &mut target)?,
        Content::Single => copy_single(upload, name, &mut target)?,
    }
    top(folder)
}

/// The folder of the bot.
fn top(folder: &Path) -> Result<PathBuf, UnpackError> {
    let mut entries = fs::read_dir(folder)?;
    let first = entries.next().ok_or(UnpackError::Empty)??;
    let is_alone = entries.next().is_none();
    Ok(if is_alone && first.file_type()?.is_dir() { first.path() } else { folder.to_owned() })
}

fn copy_single(
    upload: &mut File,
    name: &str,
    target: &mut UnpackFolder<'_>,
) -> Result<(), UnpackError> {
    let declared = upload.seek(SeekFrom::End(0))?;
    upload.rewind()?;
    if declared == 0 {
        return Err(UnpackError::Empty);
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if ARCHIVES.iter().any(|archive| extension.eq_ignore_ascii_case(archive)) {
        return Err(UnpackError::NoArchive(name.to_owned()));
    }
    let path = MemberPath::parse(name.as_bytes())?.ok_or(UnpackError::Empty)?;
    target.add_file(ArchiveMember { path, is_executable: true, declared, content: upload })
}

/// Whether it is an archive of Java classes, which is stored as a single file.
fn is_jar(upload: &mut File, name: &str) -> Result<bool, UnpackError> {
    Ok(name.ends_with(".jar") && open_zip(upload)?.index_for_name("META-INF/MANIFEST.MF").is_some())
}

fn open_zip(upload: &mut File) -> Result<ZipArchive<BufReader<&mut File>>, UnpackError> {
    upload.rewind()?;
    let count = ZipIterable::try_new(BufReader::new(&mut *upload), Default::default())?.len();
    if count > MAX_FILES {
        return Err(UnpackError::TooManyFiles);
    }
    Ok(ZipArchive::new(BufReader::new(upload))?)
}

fn unpack_zip(upload: &mut File, target: &mut UnpackFolder<'_>) -> Result<(), UnpackError> {
    let mut archive = open_zip(upload)?;
    if archive.has_duplicate_names() || archive.has_overlapping_entries()? {
        return Err(UnpackError::Twice("a file in it".to_owned()));
    }
    for index in 0..archive.len() {
        unpack_zipped(&mut archive, index, target)?;
    }
    Ok(())
}

fn unpack_zipped<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    target: &mut UnpackFolder<'_>,
) -> Result<(), UnpackError> {
    target.count()?;
    let entry = archive.by_index_data(index)?;
    let Some(path) = MemberPath::parse(entry.name_raw())? else { return Ok(()) };
    let named = || path.as_str().to_owned();
    if entry.encrypted() {
        return Err(UnpackError::Encrypted(named()));
    }
    if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(UnpackError::Method(named()));
    }
    let mode = entry.unix_mode().unwrap_or(0);
    if entry.is_symlink() || !matches!(mode & KIND, 0 | REGULAR | FOLDER) {
        return Err(UnpackError::Kind(named(), "a link or a device"));
    }
    if entry.is_dir() != (mode & KIND == FOLDER) && mode & KIND != 0 {
        return Err(UnpackError::Kind(named(), "said to be a file and a folder"));
    }
    if entry.is_dir() {
        return target.add_folder(&path);
    }
    let is_executable = mode & 0o111 != 0;
    let declared = entry.size();
    let options = ZipReadOptions::new().enforce_header_consistency(true);
    let content = archive.by_index_with_options(index, options)?;
    target.add_file(ArchiveMember { path, is_executable, declared, content })
}

fn unpack_gzip(upload: &mut File, target: &mut UnpackFolder<'_>) -> Result<(), UnpackError> {
    let mut head = Vec::new();
    let first = MultiGzDecoder::new(BufReader::new(&mut *upload));
    first.take(512).read_to_end(&mut head).map_err(UnpackError::Broken)?;
    if Content::of_head(&head) != Content::Tar {
        return Err(UnpackError::NoTar);
    }
    upload.rewind()?;
    unpack_tar(MultiGzDecoder::new(BufReader::new(upload)), target)
}

/// Reads no more than a bot may have, whatever the archive declares.
fn unpack_tar(archive: impl Read, target: &mut UnpackFolder<'_>) -> Result<(), UnpackError> {
    let mut bounded =
        Bounded { inner: archive, left: MAX_BYTES + TAR_OVERHEAD, is_exceeded: false };
    let unpacked = unpack_members(&mut tar::Archive::new(&mut bounded), target);
    if bounded.is_exceeded { Err(UnpackError::TooLarge) } else { unpacked }
}

fn unpack_members<R: Read>(
    archive: &mut tar::Archive<R>,
    target: &mut UnpackFolder<'_>,
) -> Result<(), UnpackError> {
    for entry in archive.entries().map_err(UnpackError::Broken)? {
        target.count()?;
        unpack_member(entry.map_err(UnpackError::Broken)?, target)?;
    }
    Ok(())
}

fn unpack_member<R: Read>(
    entry: tar::Entry<'_, R>,
    target: &mut UnpackFolder<'_>,
) -> Result<(), UnpackError> {
    let kind = entry.header().entry_type();
    if kind == EntryType::XGlobalHeader {
        return Ok(());
    }
    let Some(path) = MemberPath::parse(&entry.path_bytes())? else { return Ok(()) };
    if kind == EntryType::Directory {
        return target.add_folder(&path);
    }
    if kind != EntryType::Regular {
        return Err(UnpackError::Kind(path.as_str().to_owned(), "a link, a device or the like"));
    }
    let mode = entry.header().mode().map_err(UnpackError::Broken)?;
    let declared = entry.size();
    target.add_file(ArchiveMember {
        path,
        is_executable: mode & 0o111 != 0,
        declared,
        content: entry,
    })
}

/// A stream that fails once more than `left` bytes are read.
struct Bounded<R> {
    inner: R,
    left: u64,
    is_exceeded: bool,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        if most == 0 && !buffer.is_empty() {
            self.is_exceeded = true;
            return Err(io::Error::other("too large"));
        }
        let read = self.inner.read(&mut buffer[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
