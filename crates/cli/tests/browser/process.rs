//! Processes that are killed at the end of their test.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::running::{send, wait_for};

/// A process with its output, killed when dropped.
pub(crate) struct Process {
    child: Child,
    output: PathBuf,
}

impl Process {
    /// Starts a command whose output goes to the file `output`.
    ///
    /// # Panics
    /// With this advice, if there is no such command.
    #[track_caller]
    pub(crate) fn start(command: &mut Command, output: &Path, advice: &str) -> Self {
        let file = File::create(output).expect("the test's folder can be written");
        let both = file.try_clone().expect("a file can be shared");
        let started = command.stdin(Stdio::null()).stdout(file).stderr(both).spawn();
        let child = started.unwrap_or_else(|error| panic!("{command:?}: {error}. {advice}"));
        Self { child, output: output.to_owned() }
    }

    /// The output so far.
    pub(crate) fn output(&self) -> String {
        std::fs::read_to_string(&self.output).unwrap_or_default()
    }

    /// The text between `before` and `after` in the output, once it is there.
    #[track_caller]
    pub(crate) fn wait_for_output(&mut self, before: &str, after: char) -> String {
        self.output_or_end(before, after).unwrap_or_else(|end| panic!("{end}"))
    }

    /// The text between `before` and `after` in the output, once it is there; or how the process ended before.
    #[track_caller]
    pub(crate) fn output_or_end(&mut self, before: &str, after: char) -> Result<String, String> {
        wait_for(&format!("{before:?} is printed"), || {
            if let Some(status) = self.child.try_wait().expect("it can be asked") {
                let output = self.output();
                return Some(Err(format!("{status} before {before:?} was printed: {output}")));
            }
            let output = self.output();
            let (_, rest) = output.split_once(before)?;
            rest.split_once(after).map(|(wanted, _)| Ok(wanted.to_owned()))
        })
    }

    pub(crate) fn send(&self, signal: &str) {
        send(signal, &self.child);
    }

    /// Waits until the process ends, and expects exit code 0.
    #[track_caller]
    pub(crate) fn wait_for_success(&mut self) {
        let status = wait_for("a process ends", || self.child.try_wait().expect("it can be asked"));
        assert!(status.success(), "{status}: {}", self.output());
    }

    /// Whether the process ends within this time.
    pub(crate) fn ends_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Normally it has ended already.
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}
