//! The starters as `dicehill new` writes them: with a name filled in and a copy of the SDK's source.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn sdk(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Copies a folder, fills in the name, and gives the manifests the name that cargo knows.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a plain name");
        let target = to.join(name.trim_end_matches(".template"));
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            let text = fs::read_to_string(entry.path()).expect("a text");
            fs::write(target, text.replace("__NAME__", "Mine")).expect("a file");
        }
    }
}

/// Runs cargo in a starter, without the network and with its own target folder.
fn cargo(folder: &Path, words: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO"));
    command.args(words).arg("--offline").current_dir(folder);
    command.env("CARGO_TARGET_DIR", folder.join("target")).output().expect("cargo runs")
}

#[track_caller]
fn check(game: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&sdk("template").join(game), folder.path());
    copy(&sdk("src"), &folder.path().join("dicehill-bot/src"));
    // These versions are available offline; newer ones would need the network.
    fs::copy(sdk("../../Cargo.lock"), folder.path().join("Cargo.lock")).expect("the lock file");
    let output = cargo(folder.path(), &["test", "--jobs", "2"]);
    let shown = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("test result: ok. 2 passed") && !shown.contains("warning"), "{shown}");
}

#[test]
fn the_starter_for_yahtzee_passes_its_own_test() {
    check("yahtzee");
}

#[test]
fn the_starter_for_liars_dice_passes_its_own_test() {
    check("liars-dice");
}

/// The starter's copy of the SDK has its own manifest, because it is not a member of this workspace.
#[test]
fn the_manifest_of_the_copy_agrees_with_that_of_the_sdk() {
    let of = |folder: &Path| -> Value {
        let output = cargo(folder, &["read-manifest"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let manifest: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let normal = |dependency: &&Value| dependency["kind"].is_null();
        let dependencies =
            manifest["dependencies"].as_array().expect("a list").iter().filter(normal);
        let summary = |dependency: &Value| {
            serde_json::json!([dependency["name"], dependency["req"], dependency["features"]])
        };
        let dependencies: Vec<_> = dependencies.map(summary).collect();
        serde_json::json!([
            manifest["name"],
            manifest["version"],
            manifest["edition"],
            manifest["rust_version"],
            manifest["license"],
            dependencies
        ])
    };
    for game in ["yahtzee", "liars-dice"] {
        let folder = tempfile::tempdir().expect("a folder");
        copy(&sdk("template").join(game), folder.path());
        copy(&sdk("src"), &folder.path().join("dicehill-bot/src"));
        assert_eq!(of(&folder.path().join("dicehill-bot")), of(&sdk("")));
    }
}
