//! Stdin as batches of whole lines, and a stdout that is protected from stray prints.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};

#[cfg(unix)]
use self::unix::{stdin, wait_to_read, wait_to_write};
#[cfg(windows)]
use self::windows::{stdin, wait_to_read, wait_to_write};

#[cfg(unix)]
pub(crate) use self::unix::keep_stdout;
#[cfg(windows)]
pub(crate) use self::windows::keep_stdout;

/// The initial size of the input buffer: larger than a pipe, so that one read empties it.
const BUFFER: usize = 256 * 1024;

/// Stdin, read in batches of lines.
pub(crate) struct Input {
    stdin: File,
    buffer: Vec<u8>,
    /// The range of the buffer that was not returned yet.
    from: usize,
    filled: usize,
}

impl Input {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { stdin: stdin()?, buffer: vec![0; BUFFER], from: 0, filled: 0 })
    }

    /// The lines that have arrived, at least one; `None` after the end.
    pub(crate) fn lines(&mut self) -> io::Result<Option<Cow<'_, str>>> {
        self.buffer.copy_within(self.from..self.filled, 0);
        (self.from, self.filled) = (0, self.filled - self.from);
        loop {
            if self.filled == self.buffer.len() {
                self.buffer.resize(2 * self.filled, 0);
            }
            let old = self.filled;
            let read = read_some(&mut self.stdin, &mut self.buffer[old..])?;
            self.filled += read;
            // Only the new bytes can have the newline that ends the batch. The last line may have none.
            let newline = self.buffer[old..self.filled].iter().rposition(|&byte| byte == b'\n');
            match newline {
                Some(index) => self.from = old + index + 1,
                None if read == 0 => self.from = self.filled,
                None => continue,
            }
            let lines = &self.buffer[..self.from];
            return Ok((!lines.is_empty()).then(|| text(lines)));
        }
    }
}

/// Bytes as text. Checking valid UTF-8 is much faster than the lossy conversion, which is only the fallback.
fn text(lines: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(lines).map_or_else(|_| String::from_utf8_lossy(lines), Cow::Borrowed)
}

/// Reads the available bytes, waiting for at least one; 0 at the end.
fn read_some(stdin: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match stdin.read(buffer) {
            Err(error) => wait(&error, || wait_to_read(stdin))?,
            done => return done,
        }
    }
}

/// Writes all of a text.
pub(crate) fn send(out: &mut File, text: &str) -> io::Result<()> {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match out.write(rest) {
            Ok(sent) => rest = &rest[sent..],
            Err(error) => wait(&error, || wait_to_write(out))?,
        }
    }
    Ok(())
}

/// Waits with `ready` if the stream is not ready; nothing to do after an interrupted call. Returns any other error.
fn wait(error: &io::Error, ready: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    if error.kind() == ErrorKind::Interrupted {
        return Ok(());
    }
    if error.kind() == ErrorKind::WouldBlock {
        return ready();
    }
    Err(error.kind().into())
}
