//! The hills in `examples/` run as they stand.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Scratch;
use serde_json::Value;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = fs::read_dir(folder).expect("the folder of examples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

/// Runs a few of its games and says who took part.
#[track_caller]
fn run(path: &Path) -> Vec<String> {
    let path = path.to_str().expect("a plain path");
    let ran = Scratch::new().run(&["run", path, "--games", "20", "--format", "json"]);
    assert_eq!(ran.code, 0, "{path}: {}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).expect("a document");
    let rows = document["standings"].as_array().expect("standings").iter();
    let mut names: Vec<_> = rows.map(|row| row["bot"].as_str().expect("a name").into()).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_example_runs() {
    let examples = examples();
    assert!(examples.len() > 3, "{examples:?}");
    for example in examples {
        let names = run(&example);
        if example.ends_with("outside.toml") {
            assert_eq!(names, ["Bayes", "Java", "JavaScript", "Python"]);
        }
    }
}
