//! Isolated bots can use the runtimes that they need: virtual environments, and paths named by `read`.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use crate::support::external::{attacker, bot, copy, python, source};
use crate::support::machine::can_isolate;
use crate::support::{CommandOutput, Scratch, hill};

/// Printed by a module or a file, as a sign that it was read.
const WORD: &str = "Found it!";
const KEYS: &str = "game = \"yahtzee\"\ngames = 2\nseed = \"s\"\nopen_seed = true\n[limits]\nstart_ms = 60000\n\
                    move_ms = 60000";

/// A player that executes this line before it plays.
fn player(first: &str) -> String {
    let plain = fs::read_to_string(source("plain.py")).expect("the source is there");
    format!("{first}\n{plain}")
}

/// Runs a hill of two house bots and this one.
fn run(scratch: &Scratch, bot: &str) -> CommandOutput {
    scratch.write("hill.toml", hill(KEYS, &["greedy", "dummy"]) + bot);
    scratch.run(&["run", "hill.toml", "--logs", "logs"])
}

/// Expects the bot to have played and to have read its module or file.
#[track_caller]
fn check_played(scratch: &Scratch, bot: &str) {
    let output = run(scratch, bot);
    assert_eq!(output.code, 0, "{output:?}");
    let log = scratch.read("logs/Player.log");
    assert!(log.contains(WORD), "{log}");
}

/// The path of Python in a virtual environment with an additional module.
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

/// A player that reads a file in another folder.
fn with_data(scratch: &Scratch) -> String {
    fs::create_dir(scratch.path("data")).expect("the folder can be made");
    scratch.write("data/opening", WORD);
    // Paths that are words of the command itself may be read anyway.
    let data = scratch.path("data/opening").to_string_lossy().into_owned();
    let first = format!("import sys\nprint(open({data:?}).read(), file=sys.stderr)");
    scratch.write("bot.py", player(&first));
    let [program, option] = python();
    bot("Player", &[program, option, "bot.py", "."])
}

#[test]
fn paths_named_by_read_can_be_read() {
    let scratch = Scratch::new();
    let bot = with_data(&scratch);
    check_played(&scratch, &(bot + "read = [\"data\"]\n"));
}

#[test]
fn other_paths_cannot_be_read() {
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    let bot = with_data(&scratch);
    let output = run(&scratch, &bot);
    assert_eq!(output.code, 3, "{output:?}");
    println!("{}", output.err);
    let log = scratch.read("logs/Player.log");
    assert!(!log.contains(WORD), "{log}");
    let refused = ["FileNotFoundError", "PermissionError"];
    let has_refusal = |text: &str| refused.iter().any(|error| text.contains(error));
    assert!(has_refusal(&output.err) && has_refusal(&log), "{output:?}");
}

/// The unprivileged user of a bot cannot run a program that only root may execute.
#[test]
fn a_program_that_cannot_be_run_is_reported() {
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
    let restrict_to_root = |path: &Path| {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).expect("it is ours");
    };
    restrict_to_root(&program);
    restrict_to_root(&scratch.path("private"));
    let program = program.to_string_lossy();
    let output = run(&scratch, &bot("Player", &[&program, "none"]));
    println!("{}\n{}", output.err, output.out);
    assert_ne!(output.code, 0, "{output:?}");
    for words in [&*program, "Permission denied", "`read` names in the hill file"] {
        assert!(output.err.contains(words), "{words}: {output:?}");
    }
}

/// The log of a bot that executes these lines before it plays.
fn log_after(first: &str) -> String {
    let scratch = Scratch::new();
    scratch.write("bot.py", player(first));
    let [program, option] = python();
    let output = run(&scratch, &bot("Player", &[program, option, "bot.py", "."]));
    assert_eq!(output.code, 0, "{output:?}");
    scratch.read("logs/Player.log")
}

#[test]
fn refused_system_calls_are_named_in_the_log() {
    if !can_isolate() {
        return;
    }
    // More often than the supervisor listens.
    let first = "import fcntl, socket\nfor _ in range(2000):\n    for call in [lambda: fcntl.flock(0, 2), \
                 lambda: fcntl.fcntl(0, 1035, bytes(8)), lambda: socket.socket()]:\n        try:\n            \
                 call()\n            raise SystemExit(1)\n        except OSError as error:\n            \
                 assert error.errno == 38, error\n";
    let log = log_after(first);
    let line = "dicehill: the sandbox refused the system call ";
    let mut named: Vec<_> = log.lines().filter_map(|said| said.strip_prefix(line)).collect();
    named.sort_unstable();
    named.dedup();
    assert_eq!(named, ["fcntl (0x40b)", "flock", "socket (0x2)"], "{log}");
}

#[test]
fn a_full_log_does_not_hold_up_refused_calls() {
    if !can_isolate() {
        return;
    }
    // The arena may empty the pipe meanwhile; a write that blocks would then only be shorter.
    let first = "import fcntl, os, sys\nos.set_blocking(2, False)\ntry:\n    while True:\n        os.write(2, b'x' * 4096)\n\
                 except BlockingIOError:\n    pass\nos.set_blocking(2, True)\ntry:\n    fcntl.flock(0, 2)\nexcept \
                 OSError as error:\n    assert error.errno == 38, error\n";
    log_after(first);
}

#[test]
fn ordinary_players_make_no_refused_calls() {
    // Ruby forbids itself huge pages.
    let small_pages = "import ctypes\nassert ctypes.CDLL(None).prctl(41, 1, 0, 0, 0) == 0";
    for start in ["import json, random, subprocess, threading", small_pages] {
        let log = log_after(start);
        assert!(!log.contains("the sandbox refused"), "{log}");
    }
}

/// As `go build` does of a module.
#[test]
fn a_build_may_lock_its_files() {
    if !can_isolate() {
        return;
    }
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("player")).expect("the folder can be made");
    scratch.write("player/bot.py", player("pass"));
    let lock = "import fcntl\nfile = open('made', 'w')\nfor kind in [fcntl.LOCK_EX, fcntl.LOCK_UN]:\n    fcntl.flock(file, kind)\n";
    scratch.write("player/lock.py", lock);
    let [program, option] = python();
    let player = bot("Player", &[program, option, "bot.py", "."]);
    let build = format!("dir = \"player\"\nbuild = [{program:?}, \"lock.py\"]\n");
    scratch.write("hill.toml", hill(KEYS, &["greedy", "dummy"]) + &player + &build);
    let mut command = scratch.command(&["run", "hill.toml"]);
    command.env("XDG_CACHE_HOME", scratch.path("cache"));
    let output = CommandOutput::from(command.output().expect("the command starts"));
    assert_eq!(output.code, 0, "{output:?}");
}

#[test]
fn only_builds_see_the_variables_of_their_tools() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("player")).expect("the folder can be made");
    let report = "import os, sys\nfor who, keys in [('bot', os.environ), ('build', open('keys'))]:\n    \
                has = any(key.startswith('CARGO_HOME') for key in keys)\n    \
                print(who, has, file=sys.stderr)";
    scratch.write("player/bot.py", player(report));
    let [program, option] = python();
    let player = bot("Player", &[program, option, "bot.py", "."]);
    let build = "dir = \"player\"\nbuild = [\"sh\", \"-c\", \"env > keys\"]\n";
    scratch.write("hill.toml", hill(KEYS, &["greedy", "dummy"]) + &player + build);
    for isolation in [&[][..], &["--no-isolation"]] {
        let mut command = scratch.command(&["run", "hill.toml", "--logs", "logs"]);
        command.args(isolation).env("CARGO_HOME", scratch.path("cargo"));
        command.env("XDG_CACHE_HOME", scratch.path(&format!("cache-{}", isolation.len())));
        let output = CommandOutput::from(command.output().expect("the command starts"));
        assert_eq!(output.code, 0, "{output:?}");
        let log = scratch.read("logs/Player.log");
        assert!(log.starts_with("bot False\nbuild True\n"), "{log}");
        fs::remove_dir_all(scratch.path("logs")).expect("it is ours");
    }
}
