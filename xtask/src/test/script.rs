//! Tests outside of Rust: those of the SDKs and the scripts in protocol/.

use std::error::Error;
use std::path::PathBuf;

use super::{Part, Tool};
use crate::root;

/// The output format of a test program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputFormat {
    /// Python's unittest.
    Unittest,
    /// Node's test runner.
    Node,
    /// Only an exit code, which counts as one test.
    ExitCode,
}

/// A test command, run in the project's folder.
pub(crate) struct Script {
    pub(crate) name: &'static str,
    pub(crate) command: Vec<String>,
    pub(crate) format: OutputFormat,
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
    let command = ["python3", name].map(str::to_owned).into();
    Script { name, command, format: OutputFormat::ExitCode, tools: &[Tool::Python] }
}

fn unittest(name: &'static str, tools: &'static [Tool]) -> Script {
    // Only the verbose output has a line for each test, from which its duration follows.
    let command = ["python3", "-m", "unittest", "discover", "--verbose", "-s", name];
    Script {
        name,
        command: command.map(str::to_owned).into(),
        format: OutputFormat::Unittest,
        tools,
    }
}

fn javascript() -> Result<Script, Box<dyn Error>> {
    let mut command = vec!["node".to_owned(), "--test".to_owned()];
    command.extend(javascript_tests()?.iter().map(|path| path.display().to_string()));
    Ok(Script { name: JAVASCRIPT, command, format: OutputFormat::Node, tools: &[Tool::Node] })
}

/// The test files. They are named one by one because node versions differ in which files of a folder they find.
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

/// A note on the types, which the JavaScript tests skip without a TypeScript compiler.
pub(crate) fn untested_types(path: &std::ffi::OsStr) -> Option<String> {
    let is_local = root().join(JAVASCRIPT).join("node_modules/.bin/tsc").exists();
    let is_installed = is_local || std::env::split_paths(path).any(|one| one.join("tsc").is_file());
    (!is_installed)
        .then(|| format!("{JAVASCRIPT}: the types, which need tsc (`npm install` in {JAVASCRIPT})"))
}
