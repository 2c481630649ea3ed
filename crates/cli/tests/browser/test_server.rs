//! A server with its hills, and the browsers that look at it.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::browser::chromium::Chromium;
use crate::browser::driver::Driver;
use crate::browser::process::Process;
use crate::support::Scratch;

/// A server with its hills.
pub(crate) struct TestServer {
    /// Before the folder, which must not go while they use it.
    drivers: Vec<Driver>,
    server: Process,
    address: String,
    scratch: Scratch,
}

impl TestServer {
    /// Serves hills that `prepare` makes in a folder, by these arguments of the command.
    #[track_caller]
    pub(crate) fn new(arguments: &[&str], prepare: impl FnOnce(&Scratch)) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self::with_path(&path, arguments, prepare)
    }

    /// The same, by a server that finds programs in these folders.
    #[track_caller]
    pub(crate) fn with_path(
        path: &OsStr,
        arguments: &[&str],
        prepare: impl FnOnce(&Scratch),
    ) -> Self {
        let scratch = Scratch::new();
        prepare(&scratch);
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        let said = scratch.path("server.txt");
        let mut command = scratch.command(&arguments);
        let mut server = Process::start(command.env("PATH", path), &said, "");
        let address = format!("http://{}", server.says("http://", ' '));
        Self { drivers: Vec::new(), server, address, scratch }
    }

    /// The address of a page.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// Where a file of the hills' folder is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.scratch.path(name)
    }

    /// The text of a file of the hills' folder.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        self.scratch.read(name)
    }

    /// Where the server listens, without `http://`.
    pub(crate) fn host(&self) -> &str {
        self.address.strip_prefix("http://").expect("it begins so")
    }

    /// A browser of this name.
    #[track_caller]
    pub(crate) fn browser(&mut self, name: &str) -> Chromium {
        if self.drivers.is_empty() {
            self.drivers.push(Driver::start(&self.scratch));
        }
        Chromium::start(&self.drivers[0], name)
    }

    /// Starts the command beside the server.
    pub(crate) fn start(&self, arguments: &[&str]) -> Process {
        let said: PathBuf = self.scratch.path("beside.txt");
        Process::start(&mut self.scratch.command(arguments), &said, "")
    }

    /// Expects that the server has complained of nothing.
    #[track_caller]
    pub(crate) fn is_content(&self) {
        assert_eq!(self.server.said().lines().count(), 1, "{}", self.server.said());
    }
}
