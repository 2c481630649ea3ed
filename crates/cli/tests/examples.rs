//! The hills in `examples/` run unchanged, and so do the bots that the protocol's text shows.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Scratch, project_path};

fn examples() -> Vec<PathBuf> {
    let folder = project_path("examples");
    let entries = fs::read_dir(folder).expect("the folder of examples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

/// Runs a few games of a hill file; returns the sorted names of its entrants.
#[track_caller]
fn run(path: &Path) -> Vec<String> {
    let path = path.to_str().expect("a plain path");
    let output = Scratch::new().run(&["run", path, "--games", "20", "--format", "json"]);
    assert_eq!(output.code, 0, "{path}: {}", output.err);
    let document = output.json();
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

#[test]
fn the_bots_without_an_sdk_play_as_printed() {
    let text = fs::read_to_string(project_path("protocol/bots.md")).expect("the protocol");
    let scratch = Scratch::new();
    for name in ["no_sdk.py", "no_sdk.sh"] {
        let program = project_path("sdk/python/examples").join(name);
        let program = fs::read_to_string(program).expect("the example");
        assert!(text.contains(&format!("\n{program}```\n")), "{name} is not what bots.md shows");
        scratch.write(name, program);
    }
    let bots = ["no_sdk.py", "sh no_sdk.sh", "bayes", "--games", "20"];
    scratch.run_ok(&[&["run", "liars-dice"], &bots[..]].concat());
    scratch.run_ok(&["check", "yahtzee", "no_sdk.py", "--games", "5"]);
}
