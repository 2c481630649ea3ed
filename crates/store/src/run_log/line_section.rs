//! A line of a log, read in pieces.

use std::fs::File;
use std::io::{self, Read};

use crate::files::file_access::read_at;

/// The bytes of a line in a file, read from its start without moving the file's position.
pub struct LineSection<'a> {
    file: &'a File,
    position: u64,
    end: u64,
}

impl<'a> LineSection<'a> {
    pub(super) const fn new(file: &'a File, start: u64, length: u64) -> Self {
        Self { file, position: start, end: start + length }
    }
}

impl Read for LineSection<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = (self.end - self.position).min(buffer.len() as u64) as usize;
        if left == 0 {
            return Ok(0);
        }
        let read = read_at(self.file, &mut buffer[..left], self.position)?;
        if read == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the line was cut off"));
        }
        self.position += read as u64;
        Ok(read)
    }
}
