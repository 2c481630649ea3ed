//! Stdin as batches of whole lines, and a stdout that stray prints cannot reach.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{PollFd, PollFlags, poll};

/// More than a pipe holds, so that one read takes what is there.
const BUFFER: usize = 256 * 1024;

/// Keeps the real stdout for answers and turns descriptor 1 to stderr.
///
/// So neither a `println!` nor a child process can break the protocol.
pub(crate) fn keep_stdout() -> io::Result<File> {
    let out = io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(File::from(out))
}

/// Stdin.
pub(crate) struct Input {
    stdin: File,
    buffer: Vec<u8>,
    /// Where lines that were not given out begin and end.
    from: usize,
    filled: usize,
}

impl Input {
    pub(crate) fn new() -> io::Result<Self> {
        let stdin = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        Ok(Self { stdin, buffer: vec![0; BUFFER], from: 0, filled: 0 })
    }

    /// The lines that have come, or `None` after the end.
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
            // Only what is new can hold the newline that ends the batch; the last line may have
            // none.
            let newline = self.buffer[old..self.filled].iter().rposition(|&byte| byte == b'\n');
            match newline {
                Some(place) => self.from = old + place + 1,
                None if read == 0 => self.from = self.filled,
                None => continue,
            }
            let lines = &self.buffer[..self.from];
            return Ok((!lines.is_empty()).then(|| text(lines)));
        }
    }
}

/// Bytes as text; the check that all is well is much faster than the one that replaces what is not.
fn text(lines: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(lines).map_or_else(|_| String::from_utf8_lossy(lines), Cow::Borrowed)
}

/// Reads what there is, waiting for at least a byte; 0 at the end.
fn read_some(stdin: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match stdin.read(buffer) {
            Err(error) => wait(&error, stdin.as_fd(), PollFlags::IN)?,
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
            Err(error) => wait(&error, out.as_fd(), PollFlags::OUT)?,
        }
    }
    Ok(())
}

/// Waits where a descriptor does not block; any other error is handed on.
fn wait(error: &io::Error, fd: BorrowedFd<'_>, flags: PollFlags) -> io::Result<()> {
    if error.kind() == ErrorKind::Interrupted {
        return Ok(());
    }
    if error.kind() != ErrorKind::WouldBlock {
        return Err(error.kind().into());
    }
    match poll(&mut [PollFd::new(&fd, flags)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
