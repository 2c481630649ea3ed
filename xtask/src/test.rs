//! `cargo xtask test`: every test there is.

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;

use xtask::{root, run};

/// Programs that tests need beside cargo, and how to install them.
const NEEDED: [(&str, &str); 8] = [
    ("python3", "a Python 3, e.g. `apt-get install python3` or https://www.python.org"),
    ("javac", JDK),
    ("java", JDK),
    ("node", "Node 18 or later, e.g. `apt-get install nodejs` or https://nodejs.org"),
    ("cc", "a C compiler, e.g. `apt-get install gcc` or `xcode-select --install`"),
    ("chromium", CHROMIUM),
    ("chromedriver", CHROMIUM),
    ("make", "make, e.g. `apt-get install make` or `xcode-select --install`"),
];
const JDK: &str =
    "a JDK of 17 or later, e.g. `apt-get install default-jdk-headless` or https://adoptium.net";
const CHROMIUM: &str = "Chromium and its driver, e.g. `apt-get install chromium chromium-driver`";
/// The kits whose tests Python runs.
const TESTED_BY_PYTHON: [&str; 3] = ["sdk/python/tests", "sdk/c/tests", "sdk/java/tests"];
const JAVASCRIPT: &str = "sdk/javascript";
/// The doctor's exit code where an attack is not contained.
const OPEN: i32 = 3;

/// Runs all tests.
pub(crate) fn test() -> Result<(), Box<dyn Error>> {
    for (program, source) in NEEDED {
        if !works(program) {
            return Err(format!("the tests need {program}: {source}").into());
        }
    }
    // Not `--all-targets`, which builds examples as tests alone: some tests start examples as programs.
    run(Command::new(env!("CARGO")).args(["test", "--locked", "--no-fail-fast", "--workspace"]))?;
    run(Command::new(env!("CARGO")).args(["test", "--locked", "--workspace", "--bench", "*"]))?;
    ask_the_doctor()?;
    run(Command::new("python3").arg("protocol/chance.py"))?;
    run(Command::new("python3").arg("protocol/commitment.py"))?;
    test_kits()
}

/// Shows what this machine can do to isolate bots: what it cannot do is not tested here either.
fn ask_the_doctor() -> Result<(), Box<dyn Error>> {
    // The tests have built it beside this program.
    let name = format!("dicehill{}", std::env::consts::EXE_SUFFIX);
    let dicehill = std::env::current_exe()?.with_file_name(name);
    match Command::new(dicehill).arg("doctor").current_dir(root()).status()?.code() {
        Some(0) => Ok(()),
        Some(OPEN) => {
            println!(
                "NOT WHOLLY TESTED: this machine cannot isolate bots as it should, as its doctor says above"
            );
            Ok(())
        }
        code => Err(format!("dicehill doctor ended with {code:?}").into()),
    }
}

/// The kits' own tests; those of the Rust kit are cargo's.
fn test_kits() -> Result<(), Box<dyn Error>> {
    for folder in TESTED_BY_PYTHON {
        println!("{folder}");
        run(Command::new("python3").args(["-m", "unittest", "discover", "-s", folder]))?;
    }
    println!("{JAVASCRIPT}");
    if !has_tsc() {
        println!("not tested: the types, for want of tsc (`npm install` in {JAVASCRIPT})");
    }
    run(Command::new("node").arg("--test").args(javascript_tests()?))
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

/// Whether there is a TypeScript compiler; the JavaScript kit's tests look in the same places.
fn has_tsc() -> bool {
    root().join(JAVASCRIPT).join("node_modules/.bin/tsc").exists() || works("tsc")
}

fn works(program: &str) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}
