//! What packages consist of: licences, components, and the files that manifests name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use xtask::package::{Components, inventory, staged_files, third_party_licences};
use xtask::root;

use crate::architecture::metadata;

const TRIPLE: &str = "x86_64-unknown-linux-gnu";

fn components() -> Components {
    Components::of(&["dicehill"], TRIPLE).expect("cargo knows the dependencies")
}

/// The crates that `cargo tree` lists for the command, without the project's own.
fn crates_of_others() -> BTreeSet<String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["tree", "--package", "dicehill", "--edges", "normal", "--target", TRIPLE]);
    command.args(["--prefix", "none", "--format", "{p}", "--locked"]).current_dir(root());
    let output = command.output().expect("cargo runs");
    let text = String::from_utf8(output.stdout).expect("cargo writes text");
    let is_other = |line: &&str| !line.is_empty() && !line.contains(" (/");
    let name = |line: &str| {
        let mut words = line.split(' ');
        let (name, version) = (words.next().expect("a name"), words.next().expect("a version"));
        format!("{name} {}", version.trim_start_matches('v'))
    };
    text.lines().filter(is_other).map(name).collect()
}

#[test]
fn every_crate_of_others_has_a_line_and_a_licence_text() {
    let text = third_party_licences(&components()).expect("licences");
    let crates = crates_of_others();
    assert!(crates.len() > 100, "{crates:?}");
    let (list, texts) = text.split_once("\n\n====").expect("a list, then texts");
    for name in crates.iter().map(String::as_str).chain(["uplot 1.6.32"]) {
        assert!(list.contains(&format!("\n{name}  ")), "{name} is not listed");
        let is_named = |line: &str| line.split(", ").any(|one| one == name);
        assert!(texts.lines().any(is_named), "{name} has no text");
    }
    for part in ["GNU LESSER GENERAL PUBLIC LICENSE", "Copyright (c) 2022 Leon Sorokin"] {
        assert!(texts.contains(part), "{part}");
    }
}

#[test]
fn licences_and_inventories_are_the_same_each_time_and_name_no_folder() {
    let write = || {
        let components = components();
        let licences = third_party_licences(&components).expect("licences");
        [licences, inventory(&components)]
    };
    let written = write();
    assert!(written == write());
    // The project's folder may have a name that is part of addresses, such as `/src`.
    let folders = ["crates", "target", "xtask"].map(|name| root().join(name));
    for folder in folders.iter().map(|folder| folder.to_str().expect("a folder in UTF-8")) {
        assert!(!written.iter().any(|text| text.contains(folder)), "{folder}");
    }
}

#[test]
fn an_inventory_describes_every_part_once_with_edges_between_them() {
    let document: Value = serde_json::from_str(&inventory(&components())).expect("JSON");
    let of = |value: &Value, key: &str| value[key].as_str().expect("a text").to_owned();
    assert_eq!(of(&document["metadata"]["component"], "name"), "dicehill");
    let parts = document["components"].as_array().expect("components");
    let mut refs: Vec<_> = parts.iter().map(|part| of(part, "bom-ref")).collect();
    refs.push(of(&document["metadata"]["component"], "bom-ref"));
    let unique: BTreeSet<_> = refs.iter().cloned().collect();
    assert_eq!(unique.len(), refs.len());
    let edges = document["dependencies"].as_array().expect("dependencies");
    assert_eq!(edges.len(), refs.len());
    let used = edges.iter().flat_map(|edge| edge["dependsOn"].as_array().expect("a list"));
    let used: BTreeSet<_> =
        used.map(|part| part.as_str().expect("a reference").to_owned()).collect();
    assert!(used.is_subset(&unique), "{:?}", used.difference(&unique));
    let with_licence = |part: &Value| !of(&part["licenses"][0], "expression").is_empty();
    assert!(parts.iter().all(with_licence));
}

#[test]
fn the_python_package_is_the_first_part_of_its_inventory() {
    let components = Components::of(&["dicehill-python"], TRIPLE).expect("components");
    assert_eq!(components.own[0].name, "dicehill-python");
    let has = |name: &str| components.foreign.iter().any(|part| part.name == name);
    assert!(has("pyo3") && !has("glibc") && !has("uplot"));
}

#[test]
fn the_debian_package_has_exactly_the_staged_files() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let command = packages.iter().find(|package| package["name"] == "dicehill").expect("it");
    let deb = &command["metadata"]["deb"];
    assert_eq!((&deb["section"], &deb["depends"]), (&"misc".into(), &"passwd".into()));
    let mut named = BTreeSet::new();
    for asset in deb["assets"].as_array().expect("assets") {
        let source = asset[0].as_str().expect("a path").strip_prefix("target/release/stage/");
        named.insert(source.expect("a staged file").replace("*.1.gz", "dicehill.1.gz"));
    }
    named.extend(debian_units(deb));
    let staged: BTreeSet<_> = staged_files().into_iter().collect();
    let unknown: Vec<_> = named.difference(&staged).collect();
    assert!(unknown.is_empty(), "not staged: {unknown:?}");
    // What Debian has elsewhere, or its package in another form.
    let left_out = ["LICENSE-APACHE", "LICENSE-MIT", "packaging/README.md"];
    let missing =
        staged.difference(&named).map(String::as_str).filter(|name| !left_out.contains(name));
    let missing: Vec<_> = missing.collect();
    assert!(missing.is_empty(), "not in the package: {missing:?}");
}

/// The unit files of these names, which cargo-deb looks for in a folder.
fn debian_units(deb: &Value) -> Vec<String> {
    let units = deb["systemd-units"].as_array().expect("units").iter();
    let files = units.flat_map(|unit| {
        assert_eq!(unit["unit-scripts"], "../../packaging/systemd");
        let name = unit["unit-name"].as_str().expect("a name").to_owned();
        ["service", "timer"].map(|kind| format!("packaging/systemd/{name}.{kind}"))
    });
    files.filter(|file| root().join(file).is_file()).collect()
}

#[test]
fn published_crates_say_what_they_are_and_have_their_licences() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let is_published = |package: &&Value| package["publish"].is_null();
    let mut count = 0;
    for package in packages.filter(is_published) {
        let name = package["name"].as_str().expect("a name");
        assert!(package["description"].as_str().is_some_and(|text| text.len() > 10), "{name}");
        assert!(package["keywords"].as_array().is_some_and(|words| words.len() == 5), "{name}");
        assert!(package["categories"].as_array().is_some_and(|all| !all.is_empty()), "{name}");
        let folder = package["manifest_path"].as_str().expect("a path").replace("Cargo.toml", "");
        let readme = package["readme"].as_str().unwrap_or_else(|| panic!("{name} has no readme"));
        assert!(Path::new(&folder).join(readme).is_file(), "{name}: {readme}");
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let read = |path: String| fs::read_to_string(path).expect("a licence");
            let ours = read(root().join(licence).display().to_string());
            assert_eq!(read(format!("{folder}{licence}")), ours, "{name}");
        }
        count += 1;
    }
    assert_eq!(count, 12);
}

#[test]
fn the_source_of_the_minified_script_has_its_version() {
    let assets = root().join("crates/web/src/assets");
    let version = |name: &str| {
        let text = fs::read_to_string(assets.join(name)).expect("a script");
        let line = text.lines().find(|line| line.contains("github.com/leeoniya/uPlot"));
        line.expect("a line with the version").split('(').nth(1).expect("a version")[..7].to_owned()
    };
    assert_eq!(version("uPlot.iife.min.js"), version("uPlot.iife.js"));
}
