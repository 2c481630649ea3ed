//! A `dicehill` command that the server starts.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::timeout;

use super::lines::send_lines;

/// How long a command may take to store what has been played, once it was asked to end.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long is waited for the last lines of a command that has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// What a command may know of the server's environment.
const KNOWN: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// A command to start.
pub(crate) struct Job<'a> {
    pub(crate) program: &'a Path,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) folder: &'a Path,
    pub(crate) heard: Heard,
}

/// What of a command's output is heard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// All of it.
    Everything,
    /// What it tells beside the result.
    Remarks,
}

/// A command that runs. If it is dropped, it is killed.
pub(crate) struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    pub(crate) fn start(job: Job<'_>) -> io::Result<Self> {
        let Job { program, arguments, folder, heard } = job;
        let known = |name: &str| KNOWN.contains(&name) || name.starts_with("XDG_");
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).env_clear().env("NO_COLOR", "1");
        command.envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(known)));
        command.process_group(0).kill_on_drop(true).stdin(Stdio::null()).stderr(Stdio::piped());
        command.stdout(match heard {
            Heard::Everything => Stdio::piped(),
            Heard::Remarks => Stdio::null(),
        });
        let mut child = command.spawn()?;
        let (sender, lines) = channel(64);
        if let Some(stdout) = child.stdout.take() {
            tokio::spawn(send_lines(stdout, sender.clone()));
        }
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(send_lines(stderr, sender));
        }
        Ok(Self { child, lines })
    }

    /// Its next line; `None` once it has closed its output.
    pub(crate) async fn line(&mut self) -> Option<String> {
        self.lines.recv().await
    }

    /// Waits for its end; gives its exit code, unless a signal ended it, and lines that nobody has read yet.
    pub(crate) async fn ended(mut self) -> (Option<i32>, Vec<String>) {
        let code = self.child.wait().await.ok().and_then(|status| status.code());
        let mut rest = Vec::new();
        let drain = async {
            while let Some(line) = self.lines.recv().await {
                rest.push(line);
            }
        };
        let _silent = timeout(LAST_WORDS, drain).await;
        (code, rest)
    }

    /// Asks it to end, and kills it with all that it has started if it does not. What it still says goes unheard.
    pub(crate) async fn stop(mut self) {
        let Some(pid) = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else {
            return;
        };
        let _gone = kill_process(pid, Signal::TERM);
        // It must not wait for somebody to read.
        self.lines.close();
        if timeout(PATIENCE, self.child.wait()).await.is_err() {
            let _gone = kill_process_group(pid, Signal::KILL);
            let _ended = self.child.wait().await;
        }
    }
}
