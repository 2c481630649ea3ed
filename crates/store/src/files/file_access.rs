//! Operations on open files that each system offers in its own way.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Reads bytes from a place in the file into the buffer, and returns how many.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], place: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, place)
}

/// Reads bytes from a place in the file into the buffer, and returns how many.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], place: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, place)
}

/// Fills the buffer with the bytes from a place in the file.
pub(crate) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut place: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, place) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                place += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether the open file has no name any more. Windows keeps the name until the file is closed.
#[cfg(unix)]
pub(crate) fn is_deleted(meta: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(meta) == 0
}

/// Whether the open file has no name any more. Windows keeps the name until the file is closed.
#[cfg(not(unix))]
pub(crate) const fn is_deleted(_meta: &Metadata) -> bool {
    false
}

/// Whether the open file is the one with this name.
#[cfg(unix)]
pub(crate) fn is_at(path: &Path, meta: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    path.metadata().is_ok_and(|named| (named.dev(), named.ino()) == (meta.dev(), meta.ino()))
}

/// Whether the open file is the one with this name. Windows moves no open file.
#[cfg(not(unix))]
pub(crate) const fn is_at(_path: &Path, _meta: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_from_their_place() {
        let scratch = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(scratch.path(), "0123456789").expect("it is ours");
        let read = |length, place| {
            let mut bytes = vec![0; length];
            read_exact_at(scratch.as_file(), &mut bytes, place).map(|()| bytes)
        };
        assert_eq!(read(3, 7).expect("three bytes"), b"789");
        assert_eq!(read(0, 99).expect("no byte"), b"");
        assert_eq!(read(4, 7).expect_err("one too many").kind(), io::ErrorKind::UnexpectedEof);
    }
}
