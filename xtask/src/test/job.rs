//! Runs one program of tests and says what came of it.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::process::{Children, Line, Pipe};
use super::reader::{Reader, Tally, TimedTest};
use crate::root;

/// What came of a program.
#[derive(Default, Debug)]
pub(crate) struct Outcome {
    pub(crate) tally: Tally,
    pub(crate) time: Duration,
    pub(crate) tests: Vec<TimedTest>,
    /// What it printed of its failures, if there are any.
    pub(crate) failures: String,
}

impl Outcome {
    /// Adds what came of another run of the same program.
    pub(crate) fn add(&mut self, other: Self) {
        self.tally += other.tally;
        self.time += other.time;
        self.tests.extend(other.tests);
        self.failures.push_str(&other.failures);
    }
}

/// What a program prints while it runs.
struct Output<'a> {
    name: &'a str,
    is_verbose: bool,
    shows_progress: bool,
    /// How many tests it has, if that is known.
    expected: usize,
    /// All lines, of stdout and of stderr.
    lines: [Vec<String>; 2],
}

impl Output<'_> {
    fn take(&mut self, line: &Line) {
        if self.is_verbose {
            println!("{}", line.text);
        }
        self.lines[usize::from(line.pipe == Pipe::Stderr)].push(line.text.clone());
    }

    /// One line that is written over and over again.
    fn progress(&self, ended: usize) {
        if self.shows_progress {
            let Self { name, expected, .. } = self;
            let count =
                if *expected == 0 { String::new() } else { format!("  {ended} of {expected}") };
            // Nothing is lost if it cannot be shown.
            let _ = write!(io::stderr(), "\r\x1b[K{name}{count}");
        }
    }

    fn end_progress(&self) {
        if self.shows_progress {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// From where Rust's harness begins to tell failures, or all but the tests that passed, if it could not tell them;
    /// and what went to stderr past the harness.
    fn failures(&self) -> String {
        let [stdout, stderr] = &self.lines;
        let start = stdout.iter().position(|line| line == "failures:").unwrap_or_default();
        let has_passed = |line: &String| line.starts_with("test ") && line.ends_with(" ... ok");
        let told = stdout[start..].iter().filter(|line| !has_passed(line));
        told.chain(stderr).flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// How programs are run.
pub(crate) struct Jobs<'a> {
    pub(crate) children: &'a Children,
    pub(crate) is_verbose: bool,
}

impl Jobs<'_> {
    /// Runs a command and reads what it prints; `expected` is how many tests it is known to have.
    pub(crate) fn run(
        &self,
        name: &str,
        command: &mut Command,
        reader: &mut dyn Reader,
        expected: usize,
    ) -> io::Result<Outcome> {
        let begun = Instant::now();
        let shows_progress = !self.is_verbose && io::stderr().is_terminal();
        let is_verbose = self.is_verbose;
        let mut output =
            Output { name, is_verbose, shows_progress, expected, lines: Default::default() };
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        output.progress(0);
        let status = self.children.read(command, |line| {
            reader.line(&line.text, line.at);
            output.take(&line);
            output.progress(reader.tests().len());
        })?;
        output.end_progress();
        let tally = tally(reader, status);
        let failures = if tally.failed > 0 { output.failures() } else { String::new() };
        let mut outcome =
            Outcome { tally, time: begun.elapsed(), tests: reader.tests().to_vec(), failures };
        if tally.failed > 0 {
            outcome.failures.push_str(&format!("{name}: {status}\n"));
        }
        Ok(outcome)
    }
}

/// What a program said, or, if it could not, one failed test besides those that have ended.
fn tally(reader: &dyn Reader, status: ExitStatus) -> Tally {
    let ended = reader.tests().len();
    let mut tally = match (reader.tally(), status.success()) {
        (Some(tally), _) => tally,
        (None, true) => Tally { passed: ended.max(1), ..Tally::default() },
        (None, false) => Tally { passed: ended, failed: 1, skipped: 0 },
    };
    if !status.success() && tally.failed == 0 {
        tally.failed = 1;
    }
    tally
}

/// Starts a program of tests as `cargo test` would: in its package's folder, and without what cargo told us about
/// our own package.
pub(crate) fn as_cargo_does(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let is_ours = ["CARGO_PKG_", "CARGO_MANIFEST_"];
        if name.to_str().is_some_and(|name| is_ours.iter().any(|ours| name.starts_with(ours))) {
            command.env_remove(name);
        }
    }
    let folder = root().join(folder);
    command.env("CARGO", env!("CARGO")).env("CARGO_MANIFEST_DIR", &folder).current_dir(folder);
    command
}
