//! The `dicehill` command as a child process.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::timeout;

use super::command_output::{OutputLine, read_message, read_result};
use super::output_lines::send_lines;

/// How long a command may take to store the games it has played after it was asked to stop.
#[cfg(unix)]
const STOP_TIME: Duration = Duration::from_secs(10);
/// How long to wait for the last lines of a command that has exited.
const DRAIN_TIME: Duration = Duration::from_secs(2);
/// The environment variable that tells a command where to cache what it makes of bots.
const BOT_CACHE: &str = "DICEHILL_BOT_CACHE";
/// The environment variable that tells a command where to ask for processes of remote bots.
const REMOTE_BOTS: &str = "DICEHILL_REMOTE_BOTS";
/// The environment variables that a command inherits, with those that begin with `XDG_`.
const INHERITED: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// A command to start.
pub(super) struct CommandSpec<'a> {
    pub(super) program: &'a Path,
    pub(super) arguments: Vec<OsString>,
    pub(super) folder: &'a Path,
    /// Where it caches what it makes of bots, if not in the user's cache folder.
    pub(super) bot_cache: Option<PathBuf>,
    /// The socket at which it asks for processes of remote bots.
    pub(super) remote_bots: Option<PathBuf>,
    /// The names of further environment variables that it inherits.
    pub(super) secrets: Vec<String>,
    pub(super) output: CapturedOutput,
}

/// Which output of a command is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CapturedOutput {
    /// Results and messages.
    StdoutAndStderr,
    /// Messages only.
    Stderr,
}

/// A running command. Dropping it kills the process.
pub(super) struct RunningCommand {
    child: Child,
    lines: Receiver<OutputLine>,
}

impl RunningCommand {
    pub(super) fn start(spec: CommandSpec<'_>) -> io::Result<Self> {
        let CommandSpec { program, arguments, folder, bot_cache, remote_bots, secrets, output } =
            spec;
        let is_inherited = |name: &str| {
            let is_secret = secrets.iter().any(|secret| secret == name);
            INHERITED.contains(&name) || name.starts_with("XDG_") || is_secret
        };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).env_clear();
        command
            .envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_inherited)));
        command.env("NO_COLOR", "1");
        command.envs(bot_cache.map(|folder| (BOT_CACHE, folder)));
        command.envs(remote_bots.map(|socket| (REMOTE_BOTS, socket)));
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true).stdin(Stdio::null()).stderr(Stdio::piped());
        command.stdout(match output {
            CapturedOutput::StdoutAndStderr => Stdio::piped(),
            CapturedOutput::Stderr => Stdio::null(),
        });
        let mut child = command.spawn()?;
        let (sender, lines) = channel(64);
        if let Some(stdout) = child.stdout.take() {
            tokio::spawn(send_lines(stdout, read_result, sender.clone()));
        }
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(send_lines(stderr, read_message, sender));
        }
        Ok(Self { child, lines })
    }

    /// The next line of its output; `None` once the output is closed.
    pub(super) async fn next_line(&mut self) -> Option<OutputLine> {
        self.lines.recv().await
    }

    /// Waits for its exit; returns the exit code, `None` if a signal ended it, and the lines not read so far.
    pub(super) async fn wait(mut self) -> (Option<i32>, Vec<OutputLine>) {
        let code = self.child.wait().await.ok().and_then(|status| status.code());
        let mut rest = Vec::new();
        let drain = async {
            while let Some(line) = self.lines.recv().await {
                rest.push(line);
            }
        };
        let _timeout = timeout(DRAIN_TIME, drain).await;
        (code, rest)
    }

    /// Asks it to stop, and kills its process group if it does not. Further output is discarded.
    #[cfg(unix)]
    pub(super) async fn stop(mut self) {
        use rustix::process::{Pid, Signal, kill_process, kill_process_group};
        let Some(pid) = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else {
            return;
        };
        let _exited = kill_process(pid, Signal::TERM);
        // A full pipe must not keep it from exiting.
        self.lines.close();
        if timeout(STOP_TIME, self.child.wait()).await.is_err() {
            let _exited = kill_process_group(pid, Signal::KILL);
            let _status = self.child.wait().await;
        }
    }

    /// Ends it. No other system than Unix lets a process be asked to stop.
    #[cfg(not(unix))]
    pub(super) async fn stop(mut self) {
        self.lines.close();
        let _exited = self.child.kill().await;
    }
}
