//! Runs one test program and collects its results.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::process::{Children, Line, Pipe};
use super::reader::{Reader, Tally, TimedTest};
use super::search_path::search_path;
use crate::root;

/// The results of a program.
#[derive(Default, Debug)]
pub(crate) struct Outcome {
    pub(crate) tally: Tally,
    pub(crate) time: Duration,
    pub(crate) tests: Vec<TimedTest>,
    /// Its output about failures, if there are any.
    pub(crate) failures: String,
}

impl Outcome {
    /// Adds the results of another run of the same program.
    pub(crate) fn add(&mut self, other: Self) {
        self.tally += other.tally;
        self.time += other.time;
        self.tests.extend(other.tests);
        self.failures.push_str(&other.failures);
    }
}

/// The output of a running program.
struct Output<'a> {
    name: &'a str,
    is_verbose: bool,
    shows_progress: bool,
    /// How many tests it has, 0 if unknown.
    expected: usize,
    /// All lines of stdout and of stderr.
    lines: [Vec<String>; 2],
}

impl Output<'_> {
    fn take(&mut self, line: &Line) {
        if self.is_verbose {
            println!("{}", line.text);
        }
        self.lines[usize::from(line.pipe == Pipe::Stderr)].push(line.text.clone());
    }

    /// Updates the progress line.
    fn progress(&self, ended: usize) {
        if self.shows_progress {
            let Self { name, expected, .. } = self;
            let count =
                if *expected == 0 { String::new() } else { format!("  {ended} of {expected}") };
            // Progress is optional.
            let _ = write!(io::stderr(), "\r\x1b[K{name}{count}");
        }
    }

    fn end_progress(&self) {
        if self.shows_progress {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// The output from the harness's list of failures on, or everything except passed tests if there is no list; and
    /// stderr outside of the harness.
    fn failures(&self) -> String {
        let [stdout, stderr] = &self.lines;
        let start = stdout.iter().position(|line| line == "failures:").unwrap_or_default();
        let has_passed = |line: &String| line.starts_with("test ") && line.ends_with(" ... ok");
        let output = stdout[start..].iter().filter(|line| !has_passed(line));
        output.chain(stderr).flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// Runs programs.
pub(crate) struct JobRunner<'a> {
    pub(crate) children: &'a Children,
    pub(crate) is_verbose: bool,
    /// Whether a terminal shows how far it is.
    pub(crate) shows_progress: bool,
}

impl JobRunner<'_> {
    /// Runs a command and reads its output; `expected` is the known number of its tests.
    pub(crate) fn run(
        &self,
        name: &str,
        command: &mut Command,
        reader: &mut dyn Reader,
        expected: usize,
    ) -> io::Result<Outcome> {
        let start = Instant::now();
        let shows_progress = self.shows_progress && !self.is_verbose && io::stderr().is_terminal();
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
            Outcome { tally, time: start.elapsed(), tests: reader.tests().to_vec(), failures };
        if tally.failed > 0 {
            outcome.failures.push_str(&format!("{name}: {status}\n"));
        }
        Ok(outcome)
    }
}

/// The program's own tally, or, if it printed none, one failed test in addition to those that have ended.
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

/// Starts a test program as `cargo test` would: in its package's folder, and without the variables that cargo set for
/// this package.
pub(crate) fn as_cargo_starts_it(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let prefixes = ["CARGO_PKG_", "CARGO_MANIFEST_"];
        if name.to_str().is_some_and(|name| prefixes.iter().any(|prefix| name.starts_with(prefix)))
        {
            command.env_remove(name);
        }
    }
    let folder = root().join(folder);
    command.env("CARGO", env!("CARGO")).env("CARGO_MANIFEST_DIR", &folder).current_dir(folder);
    command.envs(search_path().map(|path| ("PATH", path)));
    command
}
