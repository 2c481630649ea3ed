//! Files from untrusted authors, fuzzed: none panics, hangs or uses much memory, and every error names its file.

mod hill_file;
mod part;
mod run_log;
mod store_page;

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use dicehill_arena::{Hill, TournamentGame};
use dicehill_fuzz::FuzzTarget;
use dicehill_store::{CheckedStep, FileError, Finding, RecordedRun, RunCheck};
use tempfile::TempDir;

/// The longest error, in characters.
const MAX_ERROR: usize = 10_000;

/// A target with the corpus of its name, and these files of earlier versions.
fn target(name: &'static str, fixtures: &[&str], cases: u32) -> FuzzTarget {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let seeds = fixtures.iter().map(|name| fs::read(fixture(name)).expect("a fixture")).collect();
    FuzzTarget { name, corpus: tests.join("corpora").join(name), seeds, cases }
}

/// A file of an earlier version.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/0.1").join(name)
}

/// A folder in memory where there is one, so that nothing waits for a disk.
fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// The outcome of reading `path`: what was read, or an error that names the file.
#[track_caller]
fn outcome<T: Debug>(path: &Path, read: Result<T, FileError>) -> String {
    match read {
        Ok(value) => format!("{value:?}"),
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with(&path.display().to_string()), "names no file: {text}");
            let length = text.chars().count();
            assert!(length <= MAX_ERROR, "{length} characters: {text}");
            text[path.as_os_str().len()..].to_owned()
        }
    }
}

/// All steps of `dicehill verify`, by their names and problems.
fn verified<G: TournamentGame>(run: &RecordedRun) -> Result<String, FileError> {
    let hill: Hill<G> = run.header().inert_hill(run.path())?;
    let mut steps = String::new();
    let checked = RunCheck::new(run, hill).with_threads(1).run(|step| {
        let CheckedStep { name, finding } = step;
        let first = match finding {
            Finding::Altered(problems) => problems.first().map(ToString::to_string),
            Finding::Holds(_) => None,
            Finding::Skipped(why) => Some(why),
        };
        steps += &format!("{name} {} ", first.unwrap_or_default());
        Ok::<_, FileError>(())
    });
    checked.map(|checked| format!("{steps}{}", checked.only_records_differ))
}
