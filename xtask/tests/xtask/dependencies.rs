//! Every dependency is used by the crate that names it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use xtask::root;

use crate::architecture::metadata;

/// Crates that name no operating system, so that they compile on every platform.
const PORTABLE: [&str; 4] = ["rules", "solver", "coach", "arena"];

/// Folders that hold only tests and benchmarks.
const TESTS: [&str; 2] = ["tests", "benches"];

/// Appends the text of all Rust files in a folder.
fn source(folder: &Path, text: &mut String) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let paths: Vec<PathBuf> = paths.collect();
    for path in &paths {
        if path.is_dir() {
            source(path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).expect("a source"));
        }
    }
}

/// Whether a crate's name is in a path, as in `name::`, or in `use name;`.
fn is_used(name: &str, text: &str) -> bool {
    let name = name.replace('-', "_");
    text.match_indices(&name).any(|(place, _)| {
        let before = text[..place].chars().next_back();
        let is_start =
            before.is_none_or(|character| !character.is_alphanumeric() && character != '_');
        let after = &text[place + name.len()..];
        is_start && ["::", ";", " as "].iter().any(|sign| after.starts_with(sign))
    })
}

/// The dependencies of a package that its sources do not use.
fn unused(package: &Value) -> Vec<String> {
    let manifest = package["manifest_path"].as_str().expect("a path");
    let folder = Path::new(manifest).parent().expect("a manifest is in a folder");
    let (mut own, mut all) = (String::new(), String::new());
    for name in ["src", "examples"] {
        source(&folder.join(name), &mut own);
    }
    all.push_str(&own);
    for name in TESTS {
        source(&folder.join(name), &mut all);
    }
    let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
    let is_unused = |dependency: &&Value| {
        let name = dependency["name"].as_str().expect("a name");
        let text = if dependency["kind"] == "dev" { &all } else { &own };
        !is_used(name, text)
    };
    let line = |dependency: &Value| format!("{}: {}", package["name"], dependency["name"]);
    dependencies.filter(is_unused).map(line).collect()
}

#[test]
fn every_dependency_is_used() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let unused: Vec<_> = packages.iter().flat_map(unused).collect();
    assert!(unused.is_empty(), "named in Cargo.toml, but in no source: {unused:#?}");
}

#[test]
fn portable_crates_name_no_operating_system() {
    for name in PORTABLE {
        let mut text = String::new();
        source(&root().join("crates").join(name).join("src"), &mut text);
        assert!(!text.is_empty(), "crates/{name} has sources");
        for system in ["std::os", "rustix", "libc"] {
            assert!(!is_used(system, &text), "crates/{name} uses {system}");
        }
    }
}

#[test]
fn part_of_another_name_is_not_a_use() {
    assert!(is_used("serde-json", "use serde_json::Value;"));
    assert!(is_used("http", "fn f(_: http::Uri) {}"));
    assert!(!is_used("http", "use tower_http::limit;"));
    assert!(!is_used("url", "// a url of a page"));
}

/// The licences that `deny.toml` names, also for single crates.
fn allowed_licences() -> Vec<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let (_, section) = text.split_once("[licenses]").expect("a section of licences");
    let (section, _) = section.split_once("[bans]").expect("the next section");
    let lines = section.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// Whether a choice that an SPDX expression leaves is allowed, in each of its parts.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let names =
        |choice: &str| allowed.iter().any(|one| one == choice.trim_matches(['(', ')', ' ']));
    let expression = expression.replace('/', " OR ");
    expression.split(" AND ").all(|part| part.split(" OR ").any(names))
}

/// `cargo deny`, which says the same and more, is seldom installed.
#[test]
fn every_licence_is_allowed() {
    let allowed = allowed_licences();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--all-features"]);
    cargo.args(["--filter-platform", "x86_64-unknown-linux-gnu"]).current_dir(root());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let foreign = packages.iter().filter(|package| !package["source"].is_null());
    let licence = |package: &Value| package["license"].as_str().unwrap_or("none").to_owned();
    let refused: Vec<_> = foreign
        .filter(|package| !is_allowed(&licence(package), &allowed))
        .map(|package| format!("{}: {}", package["name"], licence(package)))
        .collect();
    assert_eq!(refused, Vec::<String>::new(), "deny.toml does not name these licences");
}
