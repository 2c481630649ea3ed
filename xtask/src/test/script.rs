//! Tests that are no Rust: the SDKs' own and the scripts in protocol/.

use std::error::Error;
use std::path::PathBuf;

use super::{Part, Tool};
use crate::root;

/// In what form a program reports on its tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Python's unittest.
    Unittest,
    /// Node's test runner.
    Node,
    /// By its exit code alone, as one test.
    ExitCode,
}

/// A command that tests something, run in the project's folder.
pub(crate) struct Script {
    pub(crate) name: &'static str,
    pub(crate) words: Vec<String>,
    pub(crate) form: Form,
    pub(crate) tools: &'static [Tool],
}

const JAVASCRIPT: &str = "sdk/javascript";

impl Script {
    /// The scripts of a part.
    ///
    /// # Errors
    /// If the folder of the JavaScript tests cannot be read.
    pub(crate) fn of(part: Part) -> Result<Vec<Self>, Box<dyn Error>> {
        Ok(match part {
            Part::Protocol => {
                vec![protocol("protocol/chance.py"), protocol("protocol/commitment.py")]
            }
            Part::Python => vec![unittest("sdk/python/tests", &[Tool::Python])],
            Part::C => vec![unittest("sdk/c/tests", &[Tool::Python, Tool::C, Tool::Make])],
            Part::Java => vec![unittest("sdk/java/tests", &[Tool::Python, Tool::Jdk])],
            Part::Javascript => vec![javascript()?],
            Part::Rules
            | Part::Solver
            | Part::Coach
            | Part::Arena
            | Part::Bots
            | Part::Link
            | Part::Temporary
            | Part::Store
            | Part::Web
            | Part::Cli
            | Part::Browser
            | Part::Doctor
            | Part::Rust
            | Part::Xtask
            | Part::Proofs => Vec::new(),
        })
    }
}

fn protocol(name: &'static str) -> Script {
    let words = ["python3", name].map(str::to_owned).into();
    Script { name, words, form: Form::ExitCode, tools: &[Tool::Python] }
}

fn unittest(name: &'static str, tools: &'static [Tool]) -> Script {
    // Only the verbose form has a line for each test, from which its time follows.
    let words = ["python3", "-m", "unittest", "discover", "--verbose", "-s", name];
    Script { name, words: words.map(str::to_owned).into(), form: Form::Unittest, tools }
}

fn javascript() -> Result<Script, Box<dyn Error>> {
    let mut words = vec!["node".to_owned(), "--test".to_owned()];
    words.extend(javascript_tests()?.iter().map(|path| path.display().to_string()));
    Ok(Script { name: JAVASCRIPT, words, form: Form::Node, tools: &[Tool::Node] })
}

/// The files with tests. They are named one by one because node versions differ in what they find in
/// a folder.
fn javascript_tests() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut tests = Vec::new();
    for entry in root().join(JAVASCRIPT).join("test").read_dir()? {
        let path = entry?.path();
        if path.to_str().is_some_and(|path| path.ends_with(".test.mjs")) {
            tests.push(path);
        }
    }
    tests.sort();
    Ok(tests)
}

/// What the JavaScript tests leave out where no TypeScript compiler is in the places where they look for one.
pub(crate) fn untested_types(path: &std::ffi::OsStr) -> Option<String> {
    let is_local = root().join(JAVASCRIPT).join("node_modules/.bin/tsc").exists();
    let is_there = is_local || std::env::split_paths(path).any(|one| one.join("tsc").is_file());
    (!is_there)
        .then(|| format!("{JAVASCRIPT}: the types, which need tsc (`npm install` in {JAVASCRIPT})"))
}
