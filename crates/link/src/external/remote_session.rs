//! A process of a remote bot: the server of the hill passes its lines on, over a socket on this machine.
//!
//! The first line that goes to the server names the bot. Every line that comes from it begins with a word of [`RemoteLine`], so that
//! a bot cannot pretend to be the server.

use std::io::{self, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};

use dicehill_arena::{Failure, Reason};
use serde::Serialize;

/// The environment variable with the path of the server's socket for the hill.
const SOCKET: &str = "DICEHILL_REMOTE_BOTS";

/// What names the bot whose process is wanted.
#[derive(Serialize)]
struct Wanted<'a> {
    bot: &'a str,
    entry: i64,
}

/// Why the server was not asked for a process.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpenSessionError {
    /// No server that remote bots can connect to has started this command.
    #[error("it plays in runs that `dicehill serve --accept` starts, to which its author connects")]
    NoServer,
    /// The server that has started this command does not answer.
    #[error("the server of the hill does not answer: {0}")]
    Unreachable(#[from] io::Error),
}

impl OpenSessionError {
    /// Without a server the run goes on without the bot. A run that has lost its server is resumed by the next one.
    pub(super) fn into_failure(self) -> Failure {
        match self {
            Self::NoServer => Failure::new(Reason::Absent, format!("not connected: {self}")),
            Self::Unreachable(_) => Failure::arena_error(self),
        }
    }
}

/// A process of a remote bot, as a socket that does not block.
pub(super) struct RemoteSession {
    socket: UnixStream,
    /// The same socket, to write to; `None` once it is closed.
    input: Option<ChildStdin>,
    /// The same socket, to read.
    output: ChildStdout,
}

impl RemoteSession {
    /// Asks the server for a process of a bot.
    ///
    /// # Errors
    /// If this command was not started by a server that remote bots can connect to, or that server has ended.
    pub(super) fn open(bot: &str, entry: i64) -> Result<Self, OpenSessionError> {
        let path = std::env::var_os(SOCKET).ok_or(OpenSessionError::NoServer)?;
        Self::open_at(Path::new(&path), bot, entry)
    }

    fn open_at(path: &Path, bot: &str, entry: i64) -> Result<Self, OpenSessionError> {
        let mut socket = UnixStream::connect(path)?;
        let mut line = serde_json::to_vec(&Wanted { bot, entry }).map_err(io::Error::from)?;
        line.push(b'\n');
        socket.write_all(&line)?;
        socket.set_nonblocking(true)?;
        let input = Some(ChildStdin::from(OwnedFd::from(socket.try_clone()?)));
        let output = ChildStdout::from(OwnedFd::from(socket.try_clone()?));
        Ok(Self { socket, input, output })
    }

    pub(super) const fn input(&self) -> Option<&ChildStdin> {
        self.input.as_ref()
    }

    pub(super) const fn input_mut(&mut self) -> Option<&mut ChildStdin> {
        self.input.as_mut()
    }

    pub(super) const fn output(&self) -> &ChildStdout {
        &self.output
    }

    pub(super) const fn output_mut(&mut self) -> &mut ChildStdout {
        &mut self.output
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
        let _may_be_closed = self.socket.shutdown(Shutdown::Write);
    }

    pub(super) fn close(&mut self) {
        self.input = None;
        let _may_be_closed = self.socket.shutdown(Shutdown::Both);
    }
}

/// What the server says of a remote bot.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RemoteLine<'a> {
    /// A line of the bot.
    Bot(&'a [u8]),
    /// The connection is lost: clocks stand still.
    Away,
    /// The connection is there again.
    Back,
    /// The connection was lost for too long, or there is none.
    Absent(&'a [u8]),
    /// The process has ended, and how.
    Ended(&'a [u8]),
}

impl<'a> RemoteLine<'a> {
    /// Reads a line; `None` if the server speaks another language.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let end = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        match word {
            b"bot" => Some(Self::Bot(rest)),
            b"away" => Some(Self::Away),
            b"back" => Some(Self::Back),
            b"absent" => Some(Self::Absent(rest)),
            b"ended" => Some(Self::Ended(rest)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_word_is_the_servers() {
        let parse = RemoteLine::parse;
        assert_eq!(parse(b"bot away"), Some(RemoteLine::Bot(b"away")));
        assert_eq!(parse(b"bot  {\"id\":1}"), Some(RemoteLine::Bot(b" {\"id\":1}")));
        assert_eq!(parse(b"away"), Some(RemoteLine::Away));
        assert_eq!(parse(b"back"), Some(RemoteLine::Back));
        assert_eq!(parse(b"absent for long"), Some(RemoteLine::Absent(b"for long")));
        assert_eq!(parse(b"ended"), Some(RemoteLine::Ended(b"")));
        assert_eq!(parse(b"{\"id\":1}"), None);
    }

    #[test]
    fn a_lost_server_is_an_error_of_the_arena() {
        let folder = tempfile::tempdir().unwrap();
        let lost = RemoteSession::open_at(&folder.path().join("h.sock"), "Mine", 1).err();
        assert_eq!(lost.unwrap().into_failure().reason, Reason::ArenaError);
        assert_eq!(OpenSessionError::NoServer.into_failure().reason, Reason::Absent);
    }
}
