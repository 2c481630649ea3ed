//! ARCHITECTURE.md lists every edge between crates and every dependency, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use xtask::root;

type Names = BTreeSet<String>;

/// The metadata of the workspace from cargo.
pub(crate) fn metadata() -> Value {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--no-deps"]);
    command.current_dir(root());
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}

/// The direct dependencies of each crate of the workspace.
fn dependencies() -> BTreeMap<String, Names> {
    let metadata = metadata();
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    let names_of = |package: &Value| {
        package["dependencies"].as_array().expect("dependencies").iter().map(name).collect()
    };
    packages.iter().map(|package| (name(package), names_of(package))).collect()
}

fn architecture() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there")
}

/// The texts between backticks.
fn quoted(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split('`').skip(1).step_by(2).map(str::to_owned)
}

#[test]
fn crates_have_exactly_the_listed_edges() {
    let text = architecture();
    let listed: BTreeMap<String, Names> = text
        .lines()
        .filter(|line| line.starts_with("- `") && line.contains("` -> `"))
        .map(|line| {
            let mut names = quoted(line);
            (names.next().expect("a crate"), names.collect())
        })
        .collect();
    let all = dependencies();
    let inside = |names: &Names| names.iter().filter(|n| all.contains_key(*n)).cloned().collect();
    let found: BTreeMap<String, Names> = all
        .iter()
        .map(|(name, used)| (name.clone(), inside(used)))
        .filter(|(_, used): &(_, Names)| !used.is_empty())
        .collect();
    assert!(found.len() > 3, "cargo knows the workspace: {found:?}");
    assert_eq!(found, listed, "edges found and edges in ARCHITECTURE.md");
}

#[test]
fn every_dependency_is_listed_with_its_reason() {
    let text = architecture();
    let table = text.split("## Dependencies").nth(1).expect("a section on dependencies");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let first_cell = |row: &str| row.split('|').nth(1).unwrap_or_default().to_owned();
    let listed: Names = rows.flat_map(|row| quoted(&first_cell(row)).collect::<Vec<_>>()).collect();
    let all = dependencies();
    let found: Names =
        all.values().flatten().filter(|name| !all.contains_key(*name)).cloned().collect();
    assert_eq!(found, listed, "dependencies found and dependencies in ARCHITECTURE.md");
}

#[test]
fn cargo_run_starts_the_command() {
    let metadata = metadata();
    let default = metadata["workspace_default_members"].as_array().expect("default members");
    let ids: Vec<_> = default.iter().filter_map(Value::as_str).collect();
    assert!(matches!(ids.as_slice(), [id] if id.contains("crates/cli")), "{ids:?}");
}
