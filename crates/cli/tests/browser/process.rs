//! Processes that do not outlive their test.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::running::{send, wait_for};

/// A process that is ended with its test, and what it says.
pub(crate) struct Process {
    child: Child,
    said: PathBuf,
}

impl Process {
    /// Starts a command that writes all it says to the file `said`.
    ///
    /// # Panics
    /// With this advice, if there is no such command.
    #[track_caller]
    pub(crate) fn start(command: &mut Command, said: &Path, advice: &str) -> Self {
        let file = File::create(said).expect("the test's folder can be written");
        let both = file.try_clone().expect("a file can be shared");
        let started = command.stdin(Stdio::null()).stdout(file).stderr(both).spawn();
        let child = started.unwrap_or_else(|error| panic!("{command:?}: {error}. {advice}"));
        Self { child, said: said.to_owned() }
    }

    /// What it has said so far.
    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(&self.said).unwrap_or_default()
    }

    /// What it says between `before` and `after`, as soon as it does.
    #[track_caller]
    pub(crate) fn says(&mut self, before: &str, after: char) -> String {
        wait_for(&format!("somebody says {before:?}"), || {
            if let Some(status) = self.child.try_wait().expect("it can be asked") {
                panic!("{status} before {before:?} was said: {}", self.said());
            }
            let said = self.said();
            let (_, rest) = said.split_once(before)?;
            rest.split_once(after).map(|(wanted, _)| wanted.to_owned())
        })
    }

    pub(crate) fn send(&self, signal: &str) {
        send(signal, &self.child);
    }

    /// Waits until it ends, and expects that it ended well.
    #[track_caller]
    pub(crate) fn ends_well(&mut self) {
        let status = wait_for("a process ends", || self.child.try_wait().expect("it can be asked"));
        assert!(status.success(), "{status}: {}", self.said());
    }

    /// Whether it ends within this time.
    pub(crate) fn ends_within(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while Instant::now() < until {
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
        // It has ended already, if all went well.
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}
