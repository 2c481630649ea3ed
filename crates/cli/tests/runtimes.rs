//! What isolated bots need of the machine, they find: virtual environments, and what `read` names.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use crate::support::external::{attacker, bot, copy, python, source};
use crate::support::machine::can_isolate;
use crate::support::{Ran, Scratch, hill};

/// What a module or a file has to say, so that it is known to have been read.
const WORD: &str = "Found it!";
const KEYS: &str = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"\n[limits]\nstart_ms = 60000\n\
                    move_ms = 60000";

/// A player that does this before it plays.
fn player(first: &str) -> String {
    let plain = fs::read_to_string(source("plain.py")).expect("the source is there");
    format!("{first}\n{plain}")
}

/// Runs a hill of two house bots and this one.
fn run(scratch: &Scratch, bot: &str) -> Ran {
    scratch.write("hill.toml", hill(KEYS, &["greedy", "dummy"]) + bot);
    scratch.run(&["run", "hill.toml", "--logs", "logs"])
}

/// Expects it to have played, and to have found what it needs.
#[track_caller]
fn check_played(scratch: &Scratch, bot: &str) {
    let ran = run(scratch, bot);
    assert_eq!(ran.code, 0, "{ran:?}");
    let log = scratch.read("logs/Player.log");
    assert!(log.contains(WORD), "{log}");
}

/// A Python in an environment of its own, which has a module.
fn environment(scratch: &Scratch) -> String {
    let made = Command::new(python()[0])
        .args(["-m", "venv", "--without-pip"])
        .arg(scratch.path("environment"))
        .status();
    assert!(made.expect("there is Python").success(), "no virtual environment could be made");
    let libraries = fs::read_dir(scratch.path("environment/lib")).expect("it has libraries");
    let library = libraries.map(|entry| entry.expect("an entry").path()).next();
    let packages = library.expect("one for its version").join("site-packages");
    let module = format!("import sys\nprint({WORD:?}, file=sys.stderr)\n");
    fs::write(packages.join("needed_module.py"), module).expect("it is ours");
    scratch.path("environment/bin/python").to_string_lossy().into_owned()
}

#[test]
fn a_virtual_environment_is_found() {
    let scratch = Scratch::new();
    let program = environment(&scratch);
    scratch.write("bot.py", player("import needed_module"));
    check_played(&scratch, &bot("Player", &[&program, "bot.py", "."]));
}

#[test]
fn a_virtual_environment_is_found_from_a_folder() {
    let scratch = Scratch::new();
    let program = environment(&scratch);
    fs::create_dir(scratch.path("player")).expect("the folder can be made");
    scratch.write("player/bot.py", player("import needed_module"));
    let bot = bot("Player", &[&program, "bot.py", "."]);
    check_played(&scratch, &(bot + "dir = \"player\"\n"));
}

/// A player that needs what lies in another folder.
fn with_data(scratch: &Scratch) -> String {
    fs::create_dir(scratch.path("data")).expect("the folder can be made");
    scratch.write("data/opening", WORD);
    // What the command's words name may be read without being named again.
    let data = scratch.path("data/opening").to_string_lossy().into_owned();
    let first = format!("import sys\nprint(open({data:?}).read(), file=sys.stderr)");
    scratch.write("bot.py", player(&first));
    let [program, option] = python();
    bot("Player", &[program, option, "bot.py", "."])
}

#[test]
fn what_a_hill_names_can_be_read() {
    let scratch = Scratch::new();
    let bot = with_data(&scratch);
    check_played(&scratch, &(bot + "read = [\"data\"]\n"));
}

#[test]
fn what_a_hill_does_not_name_cannot_be_read() {
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    let bot = with_data(&scratch);
    let ran = run(&scratch, &bot);
    assert_eq!(ran.code, 3, "{ran:?}");
    println!("{}", ran.err);
    let log = scratch.read("logs/Player.log");
    assert!(!log.contains(WORD), "{log}");
    let refused = ["FileNotFoundError", "PermissionError"];
    let is_told = |text: &str| refused.iter().any(|error| text.contains(error));
    assert!(is_told(&ran.err) && is_told(&log), "{ran:?}");
}

/// What is root's own cannot be run by the user that a bot becomes.
#[test]
fn a_program_that_cannot_be_run_is_named() {
    if fs::metadata("/proc/self").expect("there is /proc").uid() != 0 {
        eprintln!("not run: only root's bots change their user");
        return;
    }
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("private")).expect("the folder can be made");
    let program = scratch.path("private/attacker");
    copy(attacker(), &program);
    let is_roots = |path: &Path| {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).expect("it is ours");
    };
    is_roots(&program);
    is_roots(&scratch.path("private"));
    let program = program.to_string_lossy();
    let ran = run(&scratch, &bot("Player", &[&program, "none"]));
    println!("{}\n{}", ran.err, ran.out);
    assert_ne!(ran.code, 0, "{ran:?}");
    for words in [&*program, "Permission denied", "`read` names in the hill file"] {
        assert!(ran.err.contains(words), "{words}: {ran:?}");
    }
}

#[test]
fn only_builds_are_told_where_their_tools_are() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("player")).expect("the folder can be made");
    let tell = "import os, sys\nfor who, keys in [('bot', os.environ), ('build', open('keys'))]:\n    \
                has = any(key.startswith('CARGO_HOME') for key in keys)\n    \
                print(who, has, file=sys.stderr)";
    scratch.write("player/bot.py", player(tell));
    let [program, option] = python();
    let player = bot("Player", &[program, option, "bot.py", "."]);
    let build = "dir = \"player\"\nbuild = [\"sh\", \"-c\", \"env > keys\"]\n";
    scratch.write("hill.toml", hill(KEYS, &["greedy", "dummy"]) + &player + build);
    for isolation in [&[][..], &["--no-isolation"]] {
        let mut command = scratch.command(&["run", "hill.toml", "--logs", "logs"]);
        command.args(isolation).env("CARGO_HOME", scratch.path("cargo"));
        command.env("XDG_CACHE_HOME", scratch.path(&format!("cache-{}", isolation.len())));
        let ran = Ran::from(command.output().expect("the command starts"));
        assert_eq!(ran.code, 0, "{ran:?}");
        let log = scratch.read("logs/Player.log");
        assert!(log.starts_with("bot False\nbuild True\n"), "{log}");
        fs::remove_dir_all(scratch.path("logs")).expect("it is ours");
    }
}
