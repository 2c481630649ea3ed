//! Readers of test output: how many tests passed, and how long each took.

use std::collections::HashMap;
use std::ops::AddAssign;
use std::time::Duration;

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Tests that passed.
    pub passed: usize,
    /// Tests that failed.
    pub failed: usize,
    /// Tests that did not run.
    pub skipped: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// A test and its duration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedTest {
    /// As its program prints it.
    pub name: String,
    /// From its start to its end.
    pub time: Duration,
}

/// A parser of a program's output.
pub trait Reader {
    /// Reads the next line, with the time since the program's start.
    fn line(&mut self, line: &str, at: Duration);
    /// The totals that the program printed; none if it ended too early.
    fn tally(&self) -> Option<Tally>;
    /// The tests that have ended.
    fn tests(&self) -> &[TimedTest];
}

/// Reads the output of Rust's test harness.
///
/// Its own measurement of time is unstable, and its variable would also reach the cargo and rustc that tests start and
/// change their builds. But the harness starts tests in the order of its list, the next one as soon as one has ended,
/// and prints each as it ends: so test number `n` of the list starts at the end of the `n - threads`-th test to end.
#[derive(Debug)]
pub struct LibtestReader {
    places: HashMap<String, usize>,
    threads: usize,
    ends: Vec<Duration>,
    tests: Vec<TimedTest>,
    tally: Option<Tally>,
}

impl LibtestReader {
    /// A reader for these tests, in the order of the harness's list.
    #[must_use]
    pub fn new(tests: &[String], threads: usize) -> Self {
        let places = tests.iter().cloned().enumerate().map(|(place, name)| (name, place));
        Self { places: places.collect(), threads, ends: Vec::new(), tests: Vec::new(), tally: None }
    }

    fn start(&self, name: &str) -> Duration {
        let place = self.places.get(name).copied().unwrap_or_default();
        let before = place.checked_sub(self.threads).and_then(|number| self.ends.get(number));
        before.copied().unwrap_or_default()
    }
}

/// The test's name in a line such as `test laws::hold - should panic ... ok`.
fn ended_test(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let has_ended = ["ok", "FAILED", "ignored"].iter().any(|word| result.starts_with(word));
    has_ended.then(|| name.strip_suffix(" - should panic").unwrap_or(name))
}

/// The number before a word, as in `test result: ok. 3 passed; 0 failed; 1 ignored; ...`.
fn number_before(line: &str, word: &str) -> Option<usize> {
    let mut before = None;
    for part in line.split([' ', ';']) {
        if part == word {
            return before;
        }
        before = part.parse().ok();
    }
    None
}

/// The totals in the harness's last line.
fn libtest_tally(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?;
    Some(Tally {
        passed: number_before(counts, "passed")?,
        failed: number_before(counts, "failed")?,
        skipped: number_before(counts, "ignored")?,
    })
}

impl Reader for LibtestReader {
    fn line(&mut self, line: &str, at: Duration) {
        if let Some(name) = ended_test(line) {
            let time = at.saturating_sub(self.start(name));
            self.tests.push(TimedTest { name: name.to_owned(), time });
            self.ends.push(at);
        } else if let Some(tally) = libtest_tally(line) {
            // Documentation tests come as several runs.
            *self.tally.get_or_insert_default() += tally;
        }
    }

    fn tally(&self) -> Option<Tally> {
        self.tally
    }

    fn tests(&self) -> &[TimedTest] {
        &self.tests
    }
}

/// Reads the verbose output of Python's unittest, which runs tests one by one. Of a program that runs several of its files
/// at once, each test has its duration at the end of its line: `test_x (…) ... ok [1.234 s]`.
#[derive(Default, Debug)]
pub struct UnittestReader {
    name: String,
    last_end: Duration,
    run: Option<usize>,
    tests: Vec<TimedTest>,
    tally: Option<Tally>,
}

/// The duration at the end of a line such as `... ok [1.234 s]`.
fn printed_time(line: &str) -> Option<Duration> {
    let (_, time) = line.strip_suffix(" s]")?.rsplit_once('[')?;
    Duration::try_from_secs_f64(time.parse().ok()?).ok()
}

/// The number after a key such as `failures=`.
fn number_of(line: &str, word: &str) -> usize {
    let after = line.split([' ', '(', ',', ')']).find_map(|part| part.strip_prefix(word));
    after.and_then(|number| number.parse().ok()).unwrap_or_default()
}

impl UnittestReader {
    fn end(&mut self, line: &str, at: Duration) {
        let name = std::mem::take(&mut self.name);
        let time = printed_time(line).unwrap_or_else(|| at.saturating_sub(self.last_end));
        self.tests.push(TimedTest { name, time });
        self.last_end = at;
    }

    fn read_totals(&mut self, line: &str, run: usize) {
        let failed = ["failures=", "errors=", "successes="].map(|word| number_of(line, word));
        let (failed, skipped) = (failed.iter().sum(), number_of(line, "skipped="));
        let passed = run.saturating_sub(failed + skipped);
        self.tally = Some(Tally { passed, failed, skipped });
    }
}

impl Reader for UnittestReader {
    fn line(&mut self, line: &str, at: Duration) {
        // A test with a description has its name on a line of its own before that.
        if line.starts_with("test") && line.contains(" (") {
            let name = line.split(" ... ").next().unwrap_or_default();
            name.split(" (").next().unwrap_or_default().clone_into(&mut self.name);
        }
        let result = line.rsplit_once(" ... ").map(|(_, result)| result);
        let is_end = |word: &str| result.is_some_and(|result| result.starts_with(word));
        if ["ok", "FAIL", "ERROR", "skipped", "expected failure"].iter().any(|word| is_end(word)) {
            self.end(line, at);
        }
        if let Some(rest) = line.strip_prefix("Ran ") {
            self.run = rest.split(' ').next().and_then(|number| number.parse().ok());
        }
        if let Some(run) = self.run.filter(|_| line.starts_with("OK") || line.starts_with("FAILED"))
        {
            self.read_totals(line, run);
        }
    }

    fn tally(&self) -> Option<Tally> {
        self.tally
    }

    fn tests(&self) -> &[TimedTest] {
        &self.tests
    }
}

/// Reads the totals of Node's test runner in either of its two formats (`# pass 3` and `ℹ pass 3`). Its files run
/// concurrently, so that no durations follow.
#[derive(Default, Debug)]
pub struct NodeReader {
    tally: Option<Tally>,
}

impl Reader for NodeReader {
    fn line(&mut self, line: &str, _at: Duration) {
        let mut words = line.split(' ');
        if !matches!(words.next(), Some("#" | "ℹ")) {
            return;
        }
        let (Some(word), Some(number)) = (words.next(), words.next()) else { return };
        let Ok(number) = number.parse::<usize>() else { return };
        let mut found = self.tally.unwrap_or_default();
        match word {
            "pass" => found.passed = number,
            "fail" | "cancelled" => found.failed += number,
            "skipped" | "todo" => found.skipped += number,
            _ => return,
        }
        self.tally = Some(found);
    }

    fn tally(&self) -> Option<Tally> {
        self.tally
    }

    fn tests(&self) -> &[TimedTest] {
        &[]
    }
}

/// Reads nothing: the exit code counts as one test.
#[derive(Debug)]
pub(crate) struct ExitCodeReader;

impl Reader for ExitCodeReader {
    fn line(&mut self, _line: &str, _at: Duration) {}

    fn tally(&self) -> Option<Tally> {
        None
    }

    fn tests(&self) -> &[TimedTest] {
        &[]
    }
}
