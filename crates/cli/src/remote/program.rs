//! Processes of the author's program.

use std::fs::Metadata;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dicehill_link::PrepareError;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use crate::system::{is_executable, set_own_group};

/// The most bytes of a line that are passed on: more than a bot may write, so that the judge sees that it is too long.
const MAX_LINE: u64 = 66_000;
/// How long a process may take to end once its stdin is closed.
const END_TIME: Duration = Duration::from_secs(2);

/// Checks that the system finds the program, so that no bot without one enters a queue. Windows looks in further places, which are not checked.
///
/// # Errors
/// If there is no such program, or it is not executable.
pub(crate) fn check_program(program: &str) -> Result<(), PrepareError> {
    if cfg!(windows) {
        return Ok(());
    }
    let (files, place): (Vec<PathBuf>, _) = match (program.contains('/'), std::env::var_os("PATH"))
    {
        (true, _) => (vec![program.into()], "there"),
        (false, Some(path)) => {
            let in_folder = |folder: PathBuf| folder.join(program);
            (std::env::split_paths(&path).map(in_folder).collect(), "in the PATH")
        }
        (false, None) => return Ok(()),
    };
    let found = files.iter().filter_map(|file| file.metadata().ok());
    let found: Vec<_> = found.filter(Metadata::is_file).collect();
    let program = program.to_owned();
    if found.is_empty() {
        return Err(PrepareError::NoProgram { program, place });
    }
    let can_start = found.iter().any(is_executable);
    can_start.then_some(()).ok_or(PrepareError::NotExecutable { program })
}

/// What a process of the program does.
#[derive(Debug)]
pub(super) struct ProcessEvent {
    /// The number that the server gave the process.
    pub(super) session: u64,
    pub(super) kind: ProcessEventKind,
}

#[derive(Debug)]
pub(super) enum ProcessEventKind {
    /// It has written a line, this long after its last request.
    Line(String, Duration),
    /// It has ended.
    Ended(String),
}

/// A process of the program, which has a task of its own. It is asked to end when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    lines: mpsc::UnboundedSender<String>,
    /// The bytes of the lines that it has not taken yet.
    waiting: Arc<AtomicUsize>,
    task: AbortHandle,
    /// Dropped with this.
    _held: oneshot::Sender<()>,
}

impl Process {
    /// Starts a process, which reports to `events`.
    pub(super) fn start(
        command: &[String],
        session: u64,
        events: mpsc::Sender<ProcessEvent>,
    ) -> Self {
        let (lines, received) = mpsc::unbounded_channel();
        let (held, dropped) = oneshot::channel();
        let waiting = Arc::<AtomicUsize>::default();
        let task = ProcessTask {
            command: command.to_vec(),
            session,
            events,
            asked: Arc::default(),
            waiting: Arc::clone(&waiting),
        };
        let task = tokio::spawn(task.run(received, dropped)).abort_handle();
        Self { lines, waiting, task, _held: held }
    }

    /// The bytes of the lines that wait until it reads.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Kills it, and forgets what waits for it.
    pub(super) fn kill(self) {
        self.task.abort();
    }

    /// Sends it a line.
    pub(super) fn send(&self, line: String) {
        self.waiting.fetch_add(line.len(), Ordering::Relaxed);
        // One that has ended has reported it.
        let _ended = self.lines.send(line);
    }
}

struct ProcessTask {
    command: Vec<String>,
    session: u64,
    events: mpsc::Sender<ProcessEvent>,
    /// When it was sent its last line.
    asked: Arc<Mutex<Option<Instant>>>,
    /// The bytes of the lines that were sent and not written yet.
    waiting: Arc<AtomicUsize>,
}

impl ProcessTask {
    async fn run(self, lines: mpsc::UnboundedReceiver<String>, dropped: oneshot::Receiver<()>) {
        let how = match self.spawn() {
            Ok(child) => self.serve(child, lines, dropped).await,
            Err(error) => Some(format!("{} cannot be started: {error}", self.command[0])),
        };
        if let Some(how) = how {
            self.report(ProcessEventKind::Ended(how)).await;
        }
    }

    fn spawn(&self) -> std::io::Result<Child> {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for this command, which then ends its processes.
        set_own_group(&mut command);
        command.spawn()
    }

    /// Passes lines on until the process ends, and says how it did; `None` if it was asked to.
    async fn serve(
        &self,
        mut child: Child,
        lines: mpsc::UnboundedReceiver<String>,
        dropped: oneshot::Receiver<()>,
    ) -> Option<String> {
        let stdin = child.stdin.take().expect("it is a pipe");
        let stdout = child.stdout.take().expect("it is a pipe");
        tokio::select! {
            () = self.write(stdin, lines) => {
                let _killed_on_drop = timeout(END_TIME, child.wait()).await;
                None
            }
            // One that does not read its stdin is killed without having been sent the rest.
            () = end_time_after(dropped) => None,
            () = self.read(stdout) => Some(match timeout(END_TIME, child.wait()).await {
                Ok(Ok(status)) => format!("it ended: {status}"),
                Ok(Err(error)) => format!("it cannot be waited for: {error}"),
                Err(_) => "it closed its stdout and kept running".to_owned(),
            }),
        }
    }

    /// Writes lines to its stdin. Returns once no more will come.
    async fn write(&self, mut stdin: ChildStdin, mut lines: mpsc::UnboundedReceiver<String>) {
        while let Some(line) = lines.recv().await {
            *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            if stdin.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                // Its end shows when its stdout closes.
                std::future::pending::<()>().await;
            }
            self.waiting.fetch_sub(line.len(), Ordering::Relaxed);
        }
    }

    /// Reports the lines that it writes to stdout. Returns once it is closed.
    async fn read(&self, stdout: ChildStdout) {
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new();
        loop {
            line.clear();
            match (&mut stdout).take(MAX_LINE).read_until(b'\n', &mut line).await {
                Ok(1..) => {}
                Ok(0) | Err(_) => return,
            }
            let text = String::from_utf8_lossy(line.trim_ascii_end());
            if !text.is_empty() {
                let asked = *self.asked.lock().unwrap_or_else(PoisonError::into_inner);
                let took = asked.map_or(Duration::ZERO, |asked| asked.elapsed());
                self.report(ProcessEventKind::Line(text.into_owned(), took)).await;
            }
        }
    }

    async fn report(&self, kind: ProcessEventKind) {
        let _closing = self.events.send(ProcessEvent { session: self.session, kind }).await;
    }
}

/// Waits until the other end is dropped, and then as long as a process may take to end.
async fn end_time_after(dropped: oneshot::Receiver<()>) {
    let _never_sent = dropped.await;
    sleep(END_TIME).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_runtime(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(test);
    }

    fn start(script: &str) -> (Process, mpsc::Receiver<ProcessEvent>) {
        let (events, reported) = mpsc::channel(9);
        let command = ["sh", "-c", script].map(str::to_owned);
        (Process::start(&command, 1, events), reported)
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_found_before_it_is_needed() {
        let check = |program: &str| check_program(program).map_err(|error| error.to_string());
        assert_eq!(check("sh"), Ok(()));
        assert_eq!(check("/bin/sh"), Ok(()));
        let missing = |program: &str, place: &str| {
            assert_eq!(check(program), Err(format!("{program:?}: no such program {place}")));
        };
        missing("nosuchprogram", "in the PATH");
        missing("./nosuchprogram", "there");
        missing("/bin", "there");
        let file = check("./Cargo.toml").unwrap_err();
        assert!(file.contains("not executable: run `chmod +x ./Cargo.toml`"), "{file}");
    }

    #[test]
    fn what_a_process_has_not_read_is_counted() {
        in_runtime(async {
            let (process, mut reported) = start("read line; echo $line; exec sleep 600");
            process.send("a".repeat(9));
            reported.recv().await.unwrap();
            assert_eq!(process.waiting(), 0);
            process.send("b".repeat(1 << 20));
            assert_eq!(process.waiting(), 1 << 20);
            process.kill();
        });
    }

    #[test]
    fn a_process_that_does_not_read_ends_with_its_session() {
        in_runtime(async {
            let (process, mut reported) = start("echo $$; exec sleep 600");
            let first = reported.recv().await.unwrap();
            let ProcessEventKind::Line(id, _) = first.kind else { panic!("{first:?}") };
            process.send("b".repeat(1 << 20));
            tokio::task::yield_now().await;
            drop(process);
            // The channel closes with the task.
            let end = timeout(20 * END_TIME, reported.recv()).await.expect("it ends");
            assert!(end.is_none(), "{end:?}");
            // One that was killed and not waited for has no command line.
            let lives =
                || std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|it| !it.is_empty());
            let deadline = Instant::now() + 20 * END_TIME;
            while lives() {
                assert!(Instant::now() < deadline, "{id} lives on");
                sleep(Duration::from_millis(10)).await;
            }
        });
    }
}
