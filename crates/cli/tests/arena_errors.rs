//! What fails on the arena's side while a bot is prepared or started ends the command with exit code 1 and
//! bars no bot.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::external::{bot, python, source};
use crate::support::{Ran, Scratch, hill};

const KEYS: &str =
    "game = \"yahtzee\"\ngames = 4\nseed = \"s\"\n[limits]\nstart_ms = 60000\nmove_ms = 60000";

fn plain() -> String {
    let [program, option] = python();
    bot("Plain", &[program, option, &source("plain.py"), "."])
}

/// Expects an error with these words, and neither a bar nor a board.
#[track_caller]
fn check_error(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.code, 1, "{ran:?}");
    for word in words {
        assert!(ran.err.contains(word), "{word}: {ran:?}");
    }
    assert!(!ran.err.contains("crash") && !ran.err.contains("qualif"), "{ran:?}");
    assert_eq!(ran.out, "");
}

/// The folders in which bots work cannot be made.
#[test]
fn a_bot_without_a_folder_is_not_barred() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill(KEYS, &["greedy"]) + &plain());
    for arguments in [
        &["run", "hill.toml", "--out", "log"][..],
        &["check", "yahtzee", "hill.toml#Plain"],
        &["run", "hill.toml", "--no-isolation"],
    ] {
        let mut command = scratch.command(arguments);
        command.env("TMPDIR", scratch.path("missing"));
        let ran = Ran::from(command.output().expect("the command starts"));
        check_error(&ran, &["error: ", "No such file or directory"]);
        // That a sandbox cannot be tried does not mean that the machine has none: no bot is started without one.
        let is_tried = !arguments.contains(&"--no-isolation");
        assert_eq!(ran.err.contains("the sandbox cannot be tried"), is_tried, "{ran:?}");
        assert!(!ran.err.contains("not guaranteed here"), "{ran:?}");
    }
    // Nothing is in its way once there is a place.
    let ran = scratch.run(&["run", "hill.toml"]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

/// A JDK that does not work is not the player's fault.
#[test]
fn a_broken_jdk_is_not_the_bots_fault() {
    let scratch = Scratch::new();
    scratch.write("Mine.java", "public class Mine extends Player { }");
    scratch.write(
        "hill.toml",
        hill(KEYS, &["greedy"]) + "[[bot]]\nname = \"Mine\"\njava = \"Mine.java\"\n",
    );
    fs::create_dir_all(scratch.path("jdk/bin")).expect("it is ours");
    for tool in ["java", "javac"] {
        let path = format!("jdk/bin/{tool}");
        scratch.write(&path, "#!/bin/sh\necho broken >&2\nexit 3\n");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(scratch.path(&path), mode).expect("it is ours");
    }
    for arguments in [&["check", "yahtzee", "Mine.java"][..], &["run", "hill.toml"]] {
        let mut command = scratch.command(arguments);
        command.env("JAVA_HOME", scratch.path("jdk")).env("XDG_CACHE_HOME", scratch.path("cache"));
        let ran = Ran::from(command.output().expect("the command starts"));
        check_error(&ran, &["error: ", "the Java bridge: ", "failed"]);
    }
}

/// Under `memory = "set"` a bot has a folder that it can write. What it makes of its mode harms only itself: its
/// next process works there all the same, and the run goes on.
#[test]
fn a_bot_cannot_end_a_run_by_closing_its_folder() {
    let scratch = Scratch::new();
    let closes = "\
import json, os, sys
turns = 0
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        turns += 1
        if turns == 3:
            os.chmod('.', 0)
            os._exit(0)
        bid = 'Liar!' if message['bids'] else '1 2'
        print(json.dumps({'id': message['id'], 'bid': bid}), flush=True)
";
    fs::create_dir(scratch.path("player")).expect("it is ours");
    scratch.write("player/bot.py", closes);
    let [program, option] = python();
    let player = bot("Closer", &[program, option, "bot.py"]) + "dir = \"player\"\n";
    let keys = "game = \"liars-dice\"\ngames = 6\nseed = \"s\"\nmemory = \"set\"";
    scratch.write("hill.toml", hill(keys, &["random", "honest"]) + &player);
    let ran = scratch.run(&["run", "hill.toml", "--format", "json", "--out", "log"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let log = scratch.read("log");
    // Each process, the first and those after it, plays two moves and ends in the third.
    assert!(log.matches("crash").count() > 1, "{log}");
    assert!(!log.contains("cannot be run"), "{log}");
}
