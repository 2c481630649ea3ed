//! `new`: its bots play and pass their own tests, in every language.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{CommandOutput, Scratch, project_path};

/// Runs `new`, plays with the new bot, and runs the test command that `new` prints.
#[track_caller]
fn check(language: &str, game: &str, opponent: &str) {
    let scratch = Scratch::new();
    let output = scratch.run(&["new", language, game, "Mine"]);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    if language == "rust" {
        // The locked versions are available; newer ones would need the network.
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
        fs::copy(lock, scratch.path("Mine/Cargo.lock")).expect("the lock file");
    }
    let play = ["run", game, "./Mine", opponent, "--games", "4", "--format", "json"];
    let played = offline(scratch.command(&play));
    assert_eq!(played.code, 0, "{}", played.err);
    assert!(played.out.contains("\"bot\":\"Mine\""), "{}", played.out);
    let test = output.out.lines().find_map(|line| line.trim().strip_suffix("its own test"));
    let mut command = Command::new("sh");
    command.args(["-c", test.expect("a command for the test")]).current_dir(scratch.path(""));
    let tested = offline(command);
    assert_eq!(tested.code, 0, "{}{}", tested.out, tested.err);
}

#[track_caller]
fn offline(mut command: Command) -> CommandOutput {
    command.env("CARGO_NET_OFFLINE", "true");
    CommandOutput::from(command.output().expect("the command starts"))
}

#[track_caller]
fn check_refused(scratch: &Scratch, arguments: &[&str], why: &str) {
    let output = scratch.run(&[&["new"], arguments].concat());
    assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?}");
    assert!(output.err.contains(why), "{arguments:?}: {}", output.err);
}

/// The languages of `sdk/languages.json` whose tools work here. `cargo xtask test` reports the others as not tested.
fn testable_languages() -> Vec<String> {
    let table = fs::read_to_string(project_path("sdk/languages.json")).expect("the table");
    let table: Value = serde_json::from_str(&table).expect("JSON");
    let rows = |key: &str| table[key].as_array().expect("a list").clone();
    let works = |tool: &Value| {
        let tools = rows("tools");
        let row = tools.iter().find(|row| row["name"] == *tool).expect("a tool of the table");
        let mut programs = row["programs"].as_array().expect("a list").iter();
        programs.all(|program| starts(program.as_str().expect("a name")))
    };
    let is_testable = |row: &&Value| row["tools"].as_array().expect("a list").iter().all(works);
    let name = |row: &Value| row["name"].as_str().expect("a name").to_owned();
    rows("languages").iter().filter(is_testable).map(name).collect()
}

fn starts(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn bots_of_every_language_play_and_pass_their_own_tests() {
    std::thread::scope(|threads| {
        for language in testable_languages() {
            threads.spawn(move || {
                check(&language, "yahtzee", "greedy");
                // It builds for a long time, and has a thorough test of its own.
                if language != "rust" {
                    check(&language, "liars-dice", "bayes");
                }
            });
        }
    });
}

#[test]
fn rust_liars_dice() {
    check("rust", "liars-dice", "bayes");
}

#[test]
fn the_placeholder_of_the_name_is_replaced() {
    let scratch = Scratch::new();
    for (language, file) in [("java", "Mine.java"), ("javascript", "Mine.mjs")] {
        scratch.run_ok(&["new", language, "yahtzee", "Mine"]);
        for entry in fs::read_dir(scratch.path("Mine")).expect("the folder") {
            let path = entry.expect("an entry").path();
            let text = if path.is_file() { fs::read(&path).expect("a file") } else { Vec::new() };
            let text = String::from_utf8(text).expect("a text");
            assert!(!text.contains("__NAME__") && !path.ends_with("__NAME__"), "{path:?}");
        }
        assert!(scratch.path("Mine").join(file).is_file());
        fs::remove_dir_all(scratch.path("Mine")).expect("the folder can be removed");
    }
}

#[test]
fn existing_files_are_not_overwritten() {
    let scratch = Scratch::new();
    scratch.write("Mine", "a file");
    check_refused(
        &scratch,
        &["c", "yahtzee", "Mine"],
        "Mine: already exists and is not a readable folder",
    );
    fs::create_dir(scratch.path("Yours")).expect("a folder");
    scratch.run_ok(&["new", "c", "yahtzee", "Yours"]);
    check_refused(&scratch, &["c", "yahtzee", "Yours"], "Yours: already exists and is not empty");
}

#[test]
fn invalid_names_are_refused() {
    let scratch = Scratch::new();
    for name in ["", "1st", "my-bot", "a/b", "Ünder", "_x"] {
        check_refused(&scratch, &["python", "yahtzee", name], "beginning with a letter");
    }
    check_refused(&scratch, &["java", "yahtzee", "List"], "List: has a special meaning in Java");
    check_refused(&scratch, &["rust", "yahtzee", "test"], "choose another name");
    check_refused(&scratch, &["javascript", "yahtzee", "Dicehill"], "choose another name");
    check_refused(&scratch, &["cobol", "yahtzee", "Mine"], "possible values");
    check_refused(&scratch, &["python", "chess", "Mine"], "chess");
}
