//! Tests outside of Rust: those of the SDKs and the scripts in protocol/.

use std::error::Error;
use std::path::PathBuf;

use super::language::Language;
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
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    pub(crate) format: OutputFormat,
    pub(crate) tools: Vec<Tool>,
    /// Whether it tests what the one build of all tests makes.
    pub(crate) needs_build: bool,
}

const CONFORMANCE: &str = "sdk/conformance/conformance.py";
const JAVASCRIPT: &str = "sdk/javascript";

impl Script {
    /// The scripts of a part.
    ///
    /// # Errors
    /// If the folder of the JavaScript tests cannot be read, or the table of languages names an unknown way to test.
    pub(crate) fn of(part: Part) -> Result<Vec<Self>, Box<dyn Error>> {
        Ok(match part {
            Part::Protocol => {
                vec![protocol("protocol/chance.py"), protocol("protocol/commitment.py")]
            }
            Part::PythonPackage => vec![python_package()],
            Part::Sdk(language) => tests_of(language)?,
            Part::Rules
            | Part::Solver
            | Part::Coach
            | Part::Arena
            | Part::Bots
            | Part::Environments
            | Part::Link
            | Part::Temporary
            | Part::Fuzz
            | Part::Store
            | Part::Web
            | Part::Workers
            | Part::Cli
            | Part::Browser
            | Part::Doctor
            | Part::Xtask
            | Part::Proofs => Vec::new(),
        })
    }
}

fn protocol(name: &str) -> Script {
    let command = ["python3", name].map(str::to_owned).into();
    let (name, format) = (name.to_owned(), OutputFormat::ExitCode);
    Script { name, command, format, tools: vec![Tool::PYTHON], needs_build: false }
}

/// Tests the package with those that its environments need, which it installs.
fn python_package() -> Script {
    let name = "crates/python/tests".to_owned();
    let command = ["python3", "crates/python/tests/run.py", "--verbose"].map(str::to_owned).into();
    let (format, tools) = (OutputFormat::Unittest, vec![Tool::PYTHON]);
    Script { name, command, format, tools, needs_build: true }
}

/// The conformance test, which all SDKs share, and the tests in the SDK's own folder.
fn tests_of(language: Language) -> Result<Vec<Script>, Box<dyn Error>> {
    let mut tools: Vec<_> = language.tools().into_iter().map(Tool::named).collect();
    let own = match language.own_tests() {
        Some("node") => Some(javascript(tools.clone())?),
        Some("unittest") => Some(unittest(language, tools.clone())),
        Some(other) => return Err(format!("sdk/languages.json: no way to run {other}").into()),
        None => None,
    };
    tools.push(Tool::PYTHON);
    let conformance = Script {
        name: format!("sdk/conformance {}", language.name()),
        command: ["python3", CONFORMANCE, "--verbose", language.name()].map(str::to_owned).into(),
        format: OutputFormat::Unittest,
        tools,
        needs_build: language.package().is_some(),
    };
    Ok([conformance].into_iter().chain(own).collect())
}

fn unittest(language: Language, mut tools: Vec<Tool>) -> Script {
    let name = format!("{}/tests", language.folder());
    tools.insert(0, Tool::PYTHON);
    // Only the verbose output has a line for each test, from which its duration follows.
    let command = ["python3", "-m", "unittest", "discover", "--verbose", "-s", &name];
    let command = command.map(str::to_owned).into();
    Script { name, command, format: OutputFormat::Unittest, tools, needs_build: false }
}

fn javascript(tools: Vec<Tool>) -> Result<Script, Box<dyn Error>> {
    let mut command = vec!["node".to_owned(), "--test".to_owned()];
    command.extend(javascript_tests()?.iter().map(|path| path.display().to_string()));
    let (name, format) = (JAVASCRIPT.to_owned(), OutputFormat::Node);
    Ok(Script { name, command, format, tools, needs_build: false })
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
