//! Programs do not depend on the folder in which they are built.

use std::fs;

use xtask::package::StaticBuild;

/// Builds a bot from a copy of the project in this folder.
fn built_in(folder: &str) -> Vec<u8> {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let build = StaticBuild::in_copy(&temporary.path().join(folder), "dev").expect("a copy");
    let selection = ["--package", "dicehill-bot", "--example", "steady"];
    build.cargo(&selection).expect("it builds");
    fs::read(build.folder().join("examples/steady")).expect("a program")
}

#[test]
fn builds_in_different_folders_have_the_same_bytes() {
    let [first, second] = ["a", "another-folder"].map(built_in);
    assert!(first.len() > 100_000);
    assert!(first == second, "{} and {} bytes", first.len(), second.len());
}
