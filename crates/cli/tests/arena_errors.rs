//! Failures on the arena's side while a bot is prepared or started end the command with exit code 1 and bar no bot.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::external::{bot, python, source};
use crate::support::{CommandOutput, Scratch, hill};

const KEYS: &str = "game = \"yahtzee\"\ngames = 4\nseed = \"s\"\nopen_seed = true\n[limits]\nstart_ms = 60000\nmove_ms = 60000";

fn plain_bot() -> String {
    let [program, option] = python();
    bot("Plain", &[program, option, &source("plain.py"), "."])
}

/// Expects an error with these words, and neither a bar nor a board.
#[track_caller]
fn check_error(output: &CommandOutput, words: &[&str]) {
    assert_eq!(output.code, 1, "{output:?}");
    for word in words {
        assert!(output.err.contains(word), "{word}: {output:?}");
    }
    assert!(!output.err.contains("crash") && !output.err.contains("qualif"), "{output:?}");
    assert_eq!(output.out, "");
}

/// The bots' working folders cannot be created.
#[test]
fn a_bot_without_a_folder_is_not_barred() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill(KEYS, &["greedy"]) + &plain_bot());
    for arguments in [
        &["run", "hill.toml", "--out", "log"][..],
        &["check", "yahtzee", "hill.toml#Plain"],
        &["run", "hill.toml", "--no-isolation"],
    ] {
        let mut command = scratch.command(arguments);
        command.env("TMPDIR", scratch.path("missing"));
        let output = CommandOutput::from(command.output().expect("the command starts"));
        check_error(&output, &["error: ", "No such file or directory"]);
        // A failed attempt to set up the sandbox does not mean that the machine has none: no bot is started without
        // one.
        let expects_sandbox = !arguments.contains(&"--no-isolation");
        assert_eq!(
            output.err.contains("the sandbox cannot be tried"),
            expects_sandbox,
            "{output:?}"
        );
        assert!(!output.err.contains("not guaranteed here"), "{output:?}");
    }
    // With a working temporary folder the same hill runs.
    let output = scratch.run(&["run", "hill.toml"]);
    assert_eq!(output.code, 0, "{output:?}");
}

/// A broken JDK is not the player's fault.
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
        let output = CommandOutput::from(command.output().expect("the command starts"));
        check_error(&output, &["error: ", "the Java bridge: ", "failed"]);
    }
}

/// Under `memory = "set"` a bot has a writable folder. If it removes the permissions of that folder it harms only
/// itself: its next process can still work there, and the run continues.
#[test]
fn a_bot_cannot_end_a_run_by_closing_its_folder() {
    let scratch = Scratch::new();
    let closing_bot = "\
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
    scratch.write("player/bot.py", closing_bot);
    let [program, option] = python();
    let player = bot("Closer", &[program, option, "bot.py"]) + "dir = \"player\"\n";
    let keys = "game = \"liars-dice\"\ngames = 6\nseed = \"s\"\nopen_seed = true\nmemory = \"set\"";
    scratch.write("hill.toml", hill(keys, &["random", "honest"]) + &player);
    let output = scratch.run(&["run", "hill.toml", "--format", "json", "--out", "log"]);
    assert_eq!(output.code, 0, "{output:?}");
    let log = scratch.read("log");
    // Each process plays two moves and ends in the third.
    assert!(log.matches("crash").count() > 1, "{log}");
    assert!(!log.contains("cannot be run"), "{log}");
}
