//! The tools that tests need, and the messages about missing ones.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use xtask::test::{Installer, Language, Machine, Part, Tool, install_line, missing, needed};

/// A folder with programs of these names, which do nothing and succeed.
fn folder(programs: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in programs {
        let path = folder.path().join(name);
        fs::write(&path, "#!/bin/sh\nexit 0\n").expect("a file");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    folder
}

/// The part of an SDK.
fn sdk(name: &str) -> Part {
    Part::Sdk(Language::all().find(|language| language.name() == name).expect("it has a row"))
}

fn machine(folder: &Path, is_root: bool) -> Machine {
    Machine { path: folder.into(), is_root }
}

#[test]
fn only_tools_of_the_requested_parts_are_looked_for() {
    let check = |parts: &[Part], all, expected: &[Tool]| {
        assert_eq!(needed(parts, all).expect("scripts are listed"), expected, "{parts:?} {all}");
    };
    check(&[Part::Rules, Part::Proofs], true, &[]);
    check(&[Part::Store], false, &[Tool::C]);
    check(&[sdk("javascript")], false, &[Tool::PYTHON, Tool::NODE]);
    check(&[sdk("java"), Part::Protocol], false, &[Tool::PYTHON, Tool::JDK]);
    let has = |all, tool| needed(&[Part::Cli], all).expect("they are listed").contains(&tool);
    assert!(has(false, Tool::PYTHON) && !has(true, Tool::CHROMIUM));
    assert!(!has(false, Tool::KOTLIN) && has(true, Tool::KOTLIN));
}

#[test]
fn a_tool_is_installed_if_all_its_programs_are() {
    let tools = [Tool::PYTHON, Tool::JDK, Tool::MAKE];
    let folder = folder(&["python3", "java"]);
    assert_eq!(missing(&tools, &machine(folder.path(), false)), [Tool::JDK, Tool::MAKE]);
    fs::write(folder.path().join("python3"), "#!/bin/sh\nexit 1\n").expect("a file");
    assert_eq!(missing(&tools, &machine(folder.path(), false)), tools);
}

#[test]
fn one_line_installs_what_is_missing() {
    let check = |programs: &[&str], is_root, installer, expected: &str| {
        let folder = folder(programs);
        let machine = machine(folder.path(), is_root);
        assert_eq!(machine.installer(), installer);
        assert_eq!(install_line(&[Tool::JDK, Tool::C], &machine), expected);
    };
    let apt = "apt-get install --yes --no-install-recommends default-jdk-headless gcc libc6-dev";
    check(&["apt-get"], true, Installer::Apt, apt);
    check(&["apt-get"], false, Installer::Apt, &format!("sudo {apt}"));
    check(&["brew"], false, Installer::Brew, "xcode-select --install; brew install openjdk");
    let unknown = "with the system's package manager, install what provides: java javac cc";
    check(&[], true, Installer::Unknown, unknown);
}

/// Runs `cargo xtask test` itself with only these programs in its PATH.
fn test(programs: &[&str], words: &[&str]) -> Output {
    let folder = folder(programs);
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("test").args(words).env("PATH", folder.path());
    command.output().expect("it starts")
}

#[track_caller]
fn check(output: &Output, code: i32, expected: &[&str]) {
    let text =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat();
    assert_eq!(output.status.code(), Some(code), "{text}");
    for part in expected {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn with_all_a_missing_tool_is_an_error() {
    let output = test(&["apt-get"], &["javascript", "--all", "--no-install"]);
    check(
        &output,
        1,
        &["Node 18 or later", "--no-install-recommends python3 python3-venv nodejs\n"],
    );
}

/// A `python3` that does nothing and succeeds passes as the protocol's scripts.
#[test]
fn without_all_the_remaining_parts_are_tested() {
    let output = test(&["python3"], &["javascript", "protocol", "--no-install"]);
    check(&output, 0, &["Not tested:\n", "  sdk/javascript, which needs node\n"]);
    assert!(output.stdout.ends_with(b"\n2 passed, 0 failed, 2 skipped\n"), "{output:?}");
    check(&test(&[], &["javascript", "--no-install"]), 1, &["nothing was left to test"]);
}
