//! A server with its hills, and the browsers that show its pages.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::browser::chromium::Chromium;
use crate::browser::driver::Driver;
use crate::browser::process::Process;
use crate::support::Scratch;

/// A server with its hills.
pub(crate) struct TestServer {
    /// First, because drivers use the folder until they are dropped.
    drivers: Vec<Driver>,
    server: Process,
    arguments: Vec<String>,
    address: String,
    scratch: Scratch,
}

impl TestServer {
    /// Serves the hills that `prepare` makes in a folder, with these arguments of the command.
    #[track_caller]
    pub(crate) fn new(arguments: &[&str], prepare: impl FnOnce(&Scratch)) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self::with_path(&path, arguments, prepare)
    }

    /// The same with this PATH for the server.
    #[track_caller]
    pub(crate) fn with_path(
        path: &OsStr,
        arguments: &[&str],
        prepare: impl FnOnce(&Scratch),
    ) -> Self {
        let scratch = Scratch::new();
        prepare(&scratch);
        let arguments =
            [&["serve", "--listen", "127.0.0.1:0", "--log", "warn"], arguments].concat();
        let output = scratch.path("server.txt");
        let mut command = scratch.command(&arguments);
        let mut server = Process::start(command.env("PATH", path), &output, "");
        let address = format!("http://{}", server.wait_for_output("http://", ' '));
        let arguments = arguments.into_iter().map(str::to_owned).collect();
        Self { drivers: Vec::new(), server, arguments, address, scratch }
    }

    /// Interrupts the server, and starts it again at the same address.
    #[track_caller]
    pub(crate) fn restart(&mut self) {
        self.server.send("-INT");
        self.server.wait_for_success();
        let host = self.host().to_owned();
        let any = |argument: &String| argument == "127.0.0.1:0";
        self.arguments
            .iter_mut()
            .filter(|argument| any(argument))
            .for_each(|argument| argument.clone_from(&host));
        let arguments: Vec<_> = self.arguments.iter().map(String::as_str).collect();
        let output = self.scratch.path("restarted.txt");
        self.server = Process::start(&mut self.scratch.command(&arguments), &output, "");
        self.server.wait_for_output("http://", ' ');
    }

    /// The address of a page.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// The path of a file in the hills' folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.scratch.path(name)
    }

    /// The text of a file of the hills' folder.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        self.scratch.read(name)
    }

    /// The server's host and port, without `http://`.
    pub(crate) fn host(&self) -> &str {
        self.address.strip_prefix("http://").expect("it begins so")
    }

    /// A browser with this name.
    #[track_caller]
    pub(crate) fn browser(&mut self, name: &str) -> Chromium {
        if self.drivers.is_empty() {
            self.drivers.push(Driver::start(&self.scratch));
        }
        Chromium::start(&self.drivers[0], name)
    }

    /// Starts another command in the hills' folder.
    pub(crate) fn start(&self, arguments: &[&str]) -> Process {
        let output: PathBuf = self.scratch.path("beside.txt");
        Process::start(&mut self.scratch.command(arguments), &output, "")
    }

    /// Expects that the server has printed no warnings.
    #[track_caller]
    pub(crate) fn expect_no_warnings(&self) {
        assert_eq!(self.server.output().lines().count(), 1, "{}", self.server.output());
    }
}
