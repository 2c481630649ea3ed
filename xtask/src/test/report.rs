//! The report: a line for each program, the failures in full, and the time of each phase.

use std::time::Duration;

use super::job::Outcome;
use super::reader::{Tally, TimedTest};

/// How many of the slowest tests are named.
const SLOWEST: usize = 10;

/// The results of a run, in order.
#[derive(Default, Debug)]
pub(crate) struct Report {
    tally: Tally,
    phases: Vec<(String, Duration)>,
    tests: Vec<TimedTest>,
    failures: Vec<(String, String)>,
    not_tested: Vec<String>,
    thorough: usize,
}

fn seconds(time: Duration) -> String {
    format!("{:6.1} s", time.as_secs_f64())
}

impl Report {
    /// Adds time to a phase.
    pub(crate) fn phase(&mut self, name: &str, time: Duration) {
        match self.phases.iter_mut().find(|(other, _)| other == name) {
            Some((_, sum)) => *sum += time,
            None => self.phases.push((name.to_owned(), time)),
        }
    }

    /// Adds the results of a program, and prints its line.
    pub(crate) fn program(&mut self, phase: &str, name: &str, outcome: Outcome) {
        let Tally { passed, failed, skipped } = outcome.tally;
        let mut line = format!("{name:<36} {passed:>5} passed");
        if failed > 0 {
            line.push_str(&format!(", {failed} FAILED"));
        }
        if skipped > 0 {
            line.push_str(&format!(", {skipped} skipped"));
        }
        println!("{line:<76}{}", seconds(outcome.time));
        self.tally += outcome.tally;
        self.phase(phase, outcome.time);
        let named = |test: TimedTest| TimedTest { name: format!("{name} {}", test.name), ..test };
        self.tests.extend(outcome.tests.into_iter().map(named));
        if failed > 0 {
            self.failures.push((name.to_owned(), outcome.failures));
        }
    }

    /// Counts tests that only `--all` runs; their program's tally includes them.
    pub(crate) fn thorough(&mut self, count: usize) {
        self.thorough += count;
    }

    /// Adds something that was not tested, with the reason.
    pub(crate) fn not_tested(&mut self, what: String) {
        self.not_tested.push(what);
    }

    /// Counts a program that did not run as one skipped test.
    pub(crate) fn skip(&mut self) {
        self.tally.skipped += 1;
    }

    pub(crate) fn tally(&self) -> Tally {
        self.tally
    }

    /// Prints the rest of the report. Other programs parse its last line.
    pub(crate) fn print_summary(mut self, total: Duration) {
        for (name, text) in &self.failures {
            println!("\n---- {name} failed\n{text}");
        }
        self.tests.sort_by_key(|test| std::cmp::Reverse(test.time));
        println!("\nSlowest tests");
        for test in self.tests.iter().take(SLOWEST) {
            println!("{}  {}", seconds(test.time), test.name);
        }
        println!("\nTime");
        for (name, time) in &self.phases {
            println!("{}  {name}", seconds(*time));
        }
        println!("{}  all of it\n", seconds(total));
        self.print_not_tested();
        for (name, _) in &self.failures {
            println!("failed: {name}");
        }
        let Tally { passed, failed, skipped } = self.tally;
        println!("{passed} passed, {failed} failed, {skipped} skipped");
    }

    fn print_not_tested(&self) {
        if self.thorough > 0 {
            println!("Only --all runs {} thorough tests of these parts.", self.thorough);
        }
        if !self.not_tested.is_empty() {
            println!("Not tested:");
        }
        for what in &self.not_tested {
            println!("  {what}");
        }
    }
}
