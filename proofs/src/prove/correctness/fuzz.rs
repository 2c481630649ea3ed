//! Fuzzes everything that reads input from untrusted authors, in process.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use dicehill_fuzz::{FuzzReport, OUTPUT_VARIABLE, SECONDS_VARIABLE};
use xtask::{root, run};

use crate::figures::Figure;

/// The time for each target.
const MINUTES: u64 = 10;
/// The most memory of a target's process, in mebibytes.
const MAX_MIB: u64 = 1024;

/// A target: a test that fuzzes.
struct Target {
    /// What it reads.
    what: &'static str,
    /// Its name in the test.
    name: &'static str,
    package: &'static str,
    /// The program of the test, as arguments of cargo.
    program: &'static [&'static str],
    test: &'static str,
}

const STORE: &[&str] = &["--test", "store"];

const TARGETS: [Target; 7] = [
    Target {
        what: "hill files",
        name: "hill-file",
        package: "dicehill-store",
        program: STORE,
        test: "fuzz::hill_file::hill_files",
    },
    Target {
        what: "run logs",
        name: "run-log",
        package: "dicehill-store",
        program: STORE,
        test: "fuzz::run_log::run_logs",
    },
    Target {
        what: "parts of a run",
        name: "part",
        package: "dicehill-store",
        program: STORE,
        test: "fuzz::part::parts",
    },
    Target {
        what: "stores with altered pages and values",
        name: "store-page",
        package: "dicehill-store",
        program: STORE,
        test: "fuzz::store_page::store_pages",
    },
    Target {
        what: "uploaded archives",
        name: "archive",
        package: "dicehill-web",
        program: &["--lib"],
        test: "entries::unpack::tests::fuzz::archives",
    },
    Target {
        what: "answers of bots in both games",
        name: "answer-line",
        package: "dicehill-link",
        program: &["--test", "link"],
        test: "fuzz::answer_lines",
    },
    Target {
        what: "HTTP requests with forms",
        name: "form",
        package: "dicehill-web",
        program: &["--lib"],
        test: "server::upload_routes::tests::fuzz::forms",
    },
];

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    let folder = root().join("target/fuzz");
    let mut figures = Vec::new();
    for target in &TARGETS {
        eprintln!("  {}", target.what);
        figures.extend(target.figures(&folder)?);
    }
    Ok(figures)
}

impl Target {
    fn figures(&self, folder: &Path) -> Result<[Figure; 3], Box<dyn Error>> {
        let Self { what, name, .. } = self;
        let output = folder.join(name);
        let _may_be_missing = fs::remove_dir_all(&output);
        let ended = self.fuzz(folder);
        let read = FuzzReport::read(&output);
        if let (Err(ended), Err(read)) = (&ended, &read)
            && !output.join("current").exists()
        {
            return Err(format!("{what} were not fuzzed: {ended}, {read}").into());
        }
        let aborted = FuzzReport {
            inputs: 0,
            milliseconds: 0,
            corpus: 0,
            grown: 0,
            crashes: 1,
            peak_mib: u64::MAX,
        };
        let FuzzReport { inputs, milliseconds, corpus, grown, crashes, peak_mib } =
            read.unwrap_or(aborted);
        let time = format!("{} s, {corpus} inputs at the start", milliseconds / 1000);
        let figure = |value: String, words: &str, aim: &str, met| Figure {
            name: format!("{what}: {words}"),
            value,
            interval: time.clone(),
            aim: aim.to_owned(),
            met,
        };
        Ok([
            figure(
                format!("{inputs}, {grown}"),
                "mutated inputs, and those that joined the corpus",
                "more than 1000",
                inputs > 1000,
            ),
            figure(
                crashes.to_string(),
                "kinds of panics, hangs and broken laws",
                "0",
                crashes == 0,
            ),
            figure(
                peak_mib.to_string(),
                "most memory in MiB",
                &format!("at most {MAX_MIB}"),
                peak_mib <= MAX_MIB,
            ),
        ])
    }

    /// Not a release build, so that overflow and debug assertions are checked too.
    fn fuzz(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let mut command = Command::new(env!("CARGO"));
        command.args(["test", "--package", self.package]).args(self.program);
        command.args(["--", "--exact", self.test]);
        command.env(SECONDS_VARIABLE, (60 * MINUTES).to_string()).env(OUTPUT_VARIABLE, folder);
        run(&mut command)
    }
}
