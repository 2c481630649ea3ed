//! Starts test programs, reads their output, and ends them after an interruption.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::interrupt::Interrupt;

/// How often to check whether a child has ended, or an interruption has occurred.
const PAUSE: Duration = Duration::from_millis(50);
/// How long children may take to end after an interruption, and how long leftover processes may keep a child's pipes
/// open.
const PATIENCE: Duration = Duration::from_secs(5);

/// The pipe from which a line comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pipe {
    Stdout,
    Stderr,
}

/// A line that a child printed.
pub(crate) struct Line {
    pub(crate) pipe: Pipe,
    pub(crate) text: String,
    /// When the line arrived, since the child's start.
    pub(crate) at: Duration,
}

/// Starts children, each in its own process group so that the whole group can be ended.
pub(crate) struct Children {
    interrupt: Interrupt,
    is_abandoned: AtomicBool,
}

impl Children {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { interrupt: Interrupt::listen()?, is_abandoned: AtomicBool::new(false) })
    }

    /// Further children, which end with the same interruption.
    pub(crate) fn others(&self) -> Self {
        Self { interrupt: self.interrupt.clone(), is_abandoned: AtomicBool::new(false) }
    }

    /// Ends these children, because nobody will read their results.
    pub(crate) fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_set() || self.is_abandoned.load(Ordering::Relaxed)
    }

    /// Runs a command to its end, with its output on ours.
    pub(crate) fn run(&self, command: &mut Command) -> io::Result<ExitStatus> {
        let mut child = spawn(command)?;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            self.end_if_interrupted(&mut child)?;
            thread::sleep(PAUSE);
        }
    }

    /// Runs a command to its end and passes on each line that it prints.
    pub(crate) fn read(
        &self,
        command: &mut Command,
        mut on_line: impl FnMut(Line),
    ) -> io::Result<ExitStatus> {
        let mut child = spawn(command)?;
        let lines = lines(&mut child);
        let mut drain_deadline = None;
        loop {
            match lines.recv_timeout(PAUSE) {
                Ok(line) => on_line(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.end_if_interrupted(&mut child)?;
            if drain_deadline.is_none() && child.try_wait()?.is_some() {
                drain_deadline = Some(Instant::now() + PATIENCE);
            }
            if drain_deadline.is_some_and(|deadline| Instant::now() > deadline) {
                break;
            }
        }
        child.wait()
    }

    /// Passes an interruption on: first as an interrupt, then as a kill.
    fn end_if_interrupted(&self, child: &mut Child) -> io::Result<()> {
        if !self.is_interrupted() || child.try_wait()?.is_some() {
            return Ok(());
        }
        signal(child, Ending::Interrupt);
        let deadline = Instant::now() + PATIENCE;
        while child.try_wait()?.is_none() && Instant::now() < deadline {
            thread::sleep(PAUSE);
        }
        signal(child, Ending::Kill);
        child.kill()
    }
}

fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command.stdin(Stdio::null()).spawn()
}

/// The lines of both pipes in order of arrival.
fn lines(child: &mut Child) -> Receiver<Line> {
    let (sender, receiver) = channel();
    if let Some(stdout) = child.stdout.take() {
        forward_lines(stdout, Pipe::Stdout, sender.clone());
    }
    if let Some(stderr) = child.stderr.take() {
        forward_lines(stderr, Pipe::Stderr, sender);
    }
    receiver
}

fn forward_lines(pipe: impl Read + Send + 'static, from: Pipe, sender: Sender<Line>) {
    let start = Instant::now();
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
            // The receiver is dropped once the child's time is over.
            if sender.send(Line { pipe: from, text, at: start.elapsed() }).is_err() {
                return;
            }
            bytes.clear();
        }
    });
}

#[derive(Clone, Copy)]
enum Ending {
    Interrupt,
    Kill,
}

/// Sends a signal to the child's process group.
#[cfg(unix)]
fn signal(child: &Child, ending: Ending) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match ending {
        Ending::Interrupt => Signal::INT,
        Ending::Kill => Signal::KILL,
    };
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // The group may have ended already.
        let _ = kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
fn signal(_child: &Child, _ending: Ending) {}
