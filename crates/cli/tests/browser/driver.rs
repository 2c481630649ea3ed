//! ChromeDriver, which starts browsers.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::browser::process::Process;
use crate::support::Scratch;

const ADVICE: &str = "These tests need a browser: `apt-get install chromium chromium-driver`, or any chromedriver and Chromium";

/// How often ChromeDriver is started until it listens.
const ATTEMPTS: usize = 3;

/// A running ChromeDriver; its browsers end with it.
pub(crate) struct Driver {
    process: Process,
    port: u16,
    profile: PathBuf,
}

impl Driver {
    #[track_caller]
    pub(crate) fn start(scratch: &Scratch) -> Self {
        let mut failures = Vec::new();
        // It chooses its port before it listens there, and another program can be faster.
        while failures.len() < ATTEMPTS {
            let output = scratch.path(&format!("chromedriver-{}.txt", failures.len()));
            let mut command = Command::new("chromedriver");
            command.arg("--port=0");
            let mut process = Process::start(&mut command, &output, ADVICE);
            match process.output_or_end("started successfully on port ", '.') {
                Ok(port) => {
                    let port = port.parse().expect("a port");
                    return Self { process, port, profile: scratch.path("profile") };
                }
                Err(end) => failures.push(end),
            }
        }
        panic!("no ChromeDriver starts: {failures:?}");
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The profile folder of its browsers.
    pub(crate) fn profile(&self) -> String {
        self.profile.to_str().expect("the test's folder has a plain name").to_owned()
    }

    /// Asks it to end itself and its browsers.
    fn shut_down(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream
            .write_all(b"GET /shutdown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        stream.read_to_end(&mut Vec::new()).map(|_| ())
    }

    /// The process ids of its browsers, found by their profile folder.
    fn browsers(&self) -> Vec<String> {
        let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
        let id_if_ours = |entry: fs::DirEntry| {
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            let is_ours = String::from_utf8_lossy(&line).contains(&self.profile());
            is_ours.then(|| entry.file_name().to_string_lossy().into_owned())
        };
        all.filter_map(Result::ok).filter_map(id_if_ours).collect()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let shut_down = self.shut_down();
        if shut_down.is_err() || !self.process.ends_within(Duration::from_secs(60)) {
            let _ended = Command::new("kill").arg("-KILL").args(self.browsers()).status();
        }
    }
}
