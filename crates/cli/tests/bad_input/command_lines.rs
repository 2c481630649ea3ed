//! Options, bots and files of a command line.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use super::hill_files::{with_games, with_name};
use super::{hill, refused, with_keys};
use crate::support::Scratch;

#[test]
fn missing_hill_files() {
    let scratch = Scratch::new();
    refused(&scratch, &["run", "none.toml"], &["none.toml: no such file"]);
    refused(&scratch, &["run", "."], &[".: a folder needs a bot.toml"]);
    refused(&scratch, &["run", "chess"], &["\"chess\"", "yahtzee or liars-dice", "hill file"]);
    refused(&scratch, &["run", ""], &["\"\""]);
}

#[test]
fn errors_name_the_source_of_a_number() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(""));
    for hill in ["hill.toml", "yahtzee", "liars-dice"] {
        let check_games = |games: &str, message: &str| {
            refused(&scratch, &["run", hill, "--games", games], &[message]);
        };
        check_games("-5", "error: --games -5: must be 1 to 1,000,000,000");
        check_games("0", "error: --games 0: must be 1 to 1,000,000,000");
        check_games("99999999999", "error: --games 99999999999: must be 1 to 1,000,000,000");
        check_games("99999999999999999999", "99999999999999999999");
        check_games("x", "'x'");
    }
    refused(&scratch, &["run", "--games", "0"], &["error: --games 0: "]);
    scratch.write("zero.toml", with_games("0"));
    scratch.run_ok(&["run", "zero.toml", "--games", "1", "--seed", "s"]);
}

#[test]
fn unwritable_logs() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(""));
    scratch.write("full", "their text\n");
    fs::create_dir(scratch.path("folder")).expect("the folder can be made");
    let run =
        |out: &str, part: &str| refused(&scratch, &["run", "hill.toml", "--out", out], &[part]);
    run("none/log", "none/log: there is no folder");
    run("folder", "folder: is a folder, not a file");
    run("full", "full: exists already, with 11 bytes: it is not a run log: choose another name");
    run("hill.toml", "hill.toml: exists already");
    assert_eq!(fs::read(scratch.path("full")).expect("it is there"), b"their text\n");
    assert_eq!(fs::read(scratch.path("hill.toml")).expect("it is there"), with_keys("").as_bytes());
    refused(&scratch, &["run", "--out", "log"], &["--out log: ", "pass a hill file or a game"]);
    assert!(!scratch.path("log").exists());
}

#[cfg(unix)]
#[test]
fn logs_in_read_only_folders() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(""));
    let folder = scratch.path("closed");
    fs::create_dir(&folder).expect("the folder can be made");
    fs::set_permissions(&folder, PermissionsExt::from_mode(0o555)).expect("the folder is ours");
    // For root no folder is closed.
    if fs::write(folder.join("probe"), "").is_err() {
        refused(
            &scratch,
            &["run", "hill.toml", "--out", "closed/log"],
            &["closed/log: Permission"],
        );
    }
}

#[test]
fn unknown_flags_and_commands() {
    let scratch = Scratch::new();
    refused(&scratch, &["fly"], &["'fly'"]);
    refused(&scratch, &["run", "--fast"], &["'--fast'"]);
    refused(&scratch, &["run", "--jobs", "0"], &["'0'", "--jobs"]);
    refused(&scratch, &["run", "--jobs", "-1"], &["-1"]);
    refused(&scratch, &["run", "--format", "xml"], &["'xml'", "markdown"]);
    refused(&scratch, &["check", "chess", "dummy"], &["\"chess\"", "yahtzee or liars-dice"]);
    refused(&scratch, &["check", "yahtzee"], &["name the bots of yahtzee"]);
    refused(&scratch, &["check", "yahtzee", "dummy", "--games", "0"], &["'0'", "--games"]);
    refused(&scratch, &["play", "chess"], &["\"chess\""]);
    refused(&scratch, &["replay"], &["<RUN>"]);
    refused(&scratch, &["replay", "log", "0"], &["'0'"]);
    refused(&scratch, &["completions", "csh"], &["'csh'", "bash"]);
}

#[test]
fn invalid_bots() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", with_keys(""));
    scratch.write("liars.toml", hill("game = \"liars-dice\"", &["pirate", "nobody"]));
    scratch.write("plain", "#!/bin/sh\n");
    scratch.write("windows", "#!/bin/sh\r\n");
    let executable = Permissions::from_mode(0o755);
    scratch.write("lost", "#!/usr/none/python3\n");
    for program in ["windows", "lost"] {
        let executable = executable.clone();
        fs::set_permissions(scratch.path(program), executable).expect("the file is ours");
    }
    let cases = [
        ("nemo", "\"nemo\": no such house bot"),
        ("yahtzee", "yahtzee: the game comes before the bots"),
        ("radnom", "; did you mean \"random\"?"),
        ("./nowhere", "./nowhere: no such file or folder"),
        ("hill.tmol", "; did you mean \"hill.toml\"?"),
        ("python3 mine.py", "mine.py: no such file"),
        ("plain", "plain: to start this file, write ./plain if it is a program"),
        (
            "./windows",
            "./windows\": cannot be run, because its first line ends with a carriage return",
        ),
        (
            "./lost",
            "./lost\": cannot be run, because its first line names \"/usr/none/python3\", which does not exist here",
        ),
        ("./plain", "./plain\": not executable: run `chmod +x ./plain`"),
        ("", "bot name \"\" is empty"),
        ("pirate", "\"pirate\": this house bot plays liars-dice, not yahtzee"),
        ("Mine.java", "Mine.java: no such file"),
        ("mine.jar", "mine.jar: no such file"),
        ("mine.py", "mine.py: no such file"),
        ("mine.js", "mine.js: no such file"),
        ("./mine --fast", "./mine --fast: \"./mine\": no such program there"),
        ("'unclosed -x", "\"'unclosed -x\": missing closing quote"),
        (".", ".: a folder needs a bot.toml"),
        ("hill.toml#Z", "hill.toml: has no bot \"Z\""),
        ("hill.toml#", "bot name \"\" is empty"),
        ("none.toml#A", "none.toml: no such file"),
        ("liars.toml#A", "liars.toml: a hill of liars-dice, not of yahtzee"),
    ];
    for (bot, message) in cases {
        refused(&scratch, &["run", "yahtzee", "dummy", bot, "--out", "log"], &[message]);
        refused(&scratch, &["check", "yahtzee", bot], &[message]);
        refused(&scratch, &["play", "yahtzee", "--against", bot], &[message]);
    }
    assert!(!scratch.path("log").exists());
    refused(&scratch, &["check", "./nowhere"], &["./nowhere: no such file or folder"]);
    refused(&scratch, &["check", "./dummy", "--watch"], &["./dummy: no such file or folder"]);
    let rival = ["check", "yahtzee", "dummy", "--watch", "--against", "pirate", "--seed", "s"];
    refused(&scratch, &rival, &["--watch: pirate does not play yahtzee"]);
    refused(&scratch, &["run", "yahtzee", "dummy"], &["there is only one bot"]);
    refused(&scratch, &["run", "hill.toml", "dummy"], &["\"dummy\": a hill file has its own bots"]);
}

#[test]
fn opponents_that_do_not_fit_at_the_table() {
    let scratch = Scratch::new();
    let many = ["pirate"; 5];
    let arguments = [&["play", "liars-dice", "--against"], &many[..]].concat();
    refused(&scratch, &arguments, &["--against: 5 opponents, but there are only 4 seats for them"]);
    scratch.write("hill.toml", with_name("you"));
    let arguments = ["play", "yahtzee", "--against", "hill.toml#you"];
    refused(&scratch, &arguments, &["--against: \"you\" is your own name"]);
    for command in ["check", "play"] {
        let arguments = [command, "yahtzee", "--rules", "superjedi-2015", "dummy"];
        let arguments = if command == "check" { &arguments[..] } else { &arguments[..4] };
        refused(&scratch, arguments, &["--rules superjedi-2015: ", "official and mego-2016"]);
    }
}
