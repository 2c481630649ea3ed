//! Builds the tests with cargo, and collects the programs from its output.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Part;
use super::part::Crate;
use super::process::Children;
use super::selection::ProgramName;
use crate::{SHIPPED_FEATURES, root};

/// A program that cargo has built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Artifact {
    /// The folder of its package, relative to the project's folder.
    pub folder: PathBuf,
    /// The name of its target, or `lib` or `bin` for their unit tests.
    pub target: String,
    /// `lib`, `bin`, `test`, `bench` or `example`.
    pub kind: String,
    /// Whether it was built as a test.
    pub is_test: bool,
    /// Its path; a library that is not a test has none.
    pub executable: Option<PathBuf>,
    /// The path of a shared library.
    pub shared_library: Option<PathBuf>,
    /// Whether its documentation has tests.
    pub has_doc_tests: bool,
}

/// Parses a line of cargo's `--message-format json`, if it is about a package in this folder.
#[must_use]
pub fn parse_artifact(line: &str, root: &Path) -> Option<Artifact> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let target = &message["target"];
    let kind = target["kind"][0].as_str()?.to_owned();
    let is_unit = matches!(kind.as_str(), "lib" | "bin");
    Some(Artifact {
        folder: manifest.parent()?.strip_prefix(root).ok()?.to_owned(),
        target: if is_unit { kind.clone() } else { target["name"].as_str()?.to_owned() },
        is_test: message["profile"]["test"] == true,
        executable: message["executable"].as_str().map(PathBuf::from),
        shared_library: shared_library(&message),
        has_doc_tests: target["doctest"] == true,
        kind,
    })
}

fn shared_library(message: &Value) -> Option<PathBuf> {
    let files = message["filenames"].as_array()?.iter().filter_map(Value::as_str).map(Path::new);
    let mut libraries = files
        .filter(|file| file.extension().is_some_and(|end| end == std::env::consts::DLL_EXTENSION));
    libraries.next().map(Path::to_owned)
}

/// A test program.
#[derive(Clone, Debug)]
pub(crate) struct TestProgram {
    pub(crate) part: Part,
    pub(crate) name: ProgramName,
    pub(crate) folder: PathBuf,
    pub(crate) executable: PathBuf,
    /// Benchmarks do not use Rust's test harness.
    pub(crate) is_benchmark: bool,
}

/// The built programs.
#[derive(Default, Debug)]
pub(crate) struct Built {
    /// Sorted by part.
    pub(crate) programs: Vec<TestProgram>,
    /// Packages whose documentation has tests.
    pub(crate) documented: BTreeSet<&'static str>,
    /// The `dicehill` command.
    pub(crate) dicehill: Option<PathBuf>,
    /// The native library of the Python package.
    pub(crate) python_library: Option<PathBuf>,
}

/// The cargo arguments that name the packages of these parts. All of them are named each time: the set of packages
/// decides on the features of dependencies, which would be rebuilt for another set.
pub(crate) fn packages(parts: &[Part]) -> Vec<&'static str> {
    let whole = parts.iter().filter(|part| **part != Part::Browser);
    let whole = whole.filter_map(|part| part.source());
    let mut packages: Vec<_> = whole.flat_map(|source| ["--package", source.package]).collect();
    if parts.contains(&Part::Workers) {
        if !parts.contains(&Part::Cli) {
            packages.extend(["--package", "dicehill"]);
        }
        packages.extend(["--features", SHIPPED_FEATURES]);
    }
    packages
}

/// The cargo commands that build these parts.
fn requests(parts: &[Part], all: bool) -> Vec<Vec<&'static str>> {
    let has = |part| parts.contains(&part);
    let whole = packages(parts);
    let mut requests = Vec::new();
    if !whole.is_empty() {
        // What `cargo test --no-run` builds, and the Python library, which no test links.
        let targets = vec!["build", "--lib", "--bins", "--tests", "--examples"];
        requests.push([targets, whole.clone()].concat());
    }
    let needs_command = has(Part::Doctor) || has(Part::PythonPackage);
    // The tests of workers are the command's, whose program must not be replaced by one without workers.
    let has_command = has(Part::Cli) || has(Part::Workers);
    match (has_command, has(Part::Browser), needs_command) {
        (true, _, _) | (false, false, false) => {}
        (false, true, _) => {
            requests.push(vec!["test", "--no-run", "--package", "dicehill", "--test", "command"]);
        }
        (false, false, true) => requests.push(vec!["build", "--package", "dicehill"]),
    }
    // A command of its own: if benchmarks are named all other targets have to be named too, and named examples are
    // built only as tests, while some tests start examples as programs.
    let has_benchmarks = |part: &Part| part.source().is_some_and(|source| source.has_benchmarks);
    if all && parts.iter().any(has_benchmarks) {
        requests.push([vec!["test", "--no-run", "--bench", "*"], whole].concat());
    }
    requests
}

/// Builds the programs of these parts.
///
/// # Errors
/// If a program does not compile.
pub(crate) fn build(
    parts: &[Part],
    all: bool,
    children: &Children,
) -> Result<Built, Box<dyn Error>> {
    let mut built = Built::default();
    for arguments in requests(parts, all) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(&arguments).args(["--locked", "--message-format", "json-render-diagnostics"]);
        cargo.current_dir(root()).stdout(Stdio::piped());
        let status = children.read(&mut cargo, |line| {
            if let Some(artifact) = parse_artifact(&line.text, root()) {
                built.add(&artifact, parts);
            }
        })?;
        if !status.success() {
            return Err(format!("cargo {}: {status}", arguments.join(" ")).into());
        }
    }
    built.programs.sort_by(|a, b| (a.part, &a.name).cmp(&(b.part, &b.name)));
    Ok(built)
}

impl Built {
    fn add(&mut self, artifact: &Artifact, parts: &[Part]) {
        if artifact.kind == "bin" && artifact.folder == Path::new("crates/cli") && !artifact.is_test
        {
            self.dicehill.clone_from(&artifact.executable);
        }
        if artifact.folder == Path::new("crates/python") && artifact.shared_library.is_some() {
            self.python_library.clone_from(&artifact.shared_library);
        }
        for part in parts.iter().copied() {
            let crates = part.source().into_iter().chain(part.tested_command());
            let is_its = |one: &Crate| {
                artifact.folder == Path::new(&*one.folder)
                    && part.has(one.package, &artifact.target)
            };
            let Some(Crate { package, .. }) = crates.into_iter().find(is_its) else { continue };
            if artifact.has_doc_tests {
                self.documented.insert(package);
            }
            if let Some(executable) = artifact.executable.clone().filter(|_| artifact.is_test) {
                let target = artifact.target.clone();
                let name = ProgramName { package: package.to_owned(), target };
                let (folder, is_benchmark) = (artifact.folder.clone(), artifact.kind == "bench");
                self.programs.push(TestProgram { part, name, folder, executable, is_benchmark });
            }
        }
    }
}
