//! Runs that end early: in order after Ctrl-C or a request to terminate, at once when killed.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use crate::support::Scratch;
use crate::support::running::{Running, is_ignored, send};

/// Starts a run that would take minutes, and waits until its log has a few games.
fn start_run(scratch: &Scratch, game: &str) -> Running {
    let run = ["run", game, "--games", "100000000", "--jobs", "2", "--out", "log"];
    let mut running = Running(scratch.command(&run).spawn().expect("the command starts"));
    let child = &mut running.0;
    // The seed is printed just before the run begins; from then on Ctrl-C ends the run in order.
    let mut stderr = BufReader::new(child.stderr.take().expect("its messages are a pipe"));
    let mut seed = String::new();
    stderr.read_line(&mut seed).expect("messages are UTF-8");
    assert!(seed.starts_with("seed: "), "{seed}");
    child.stderr = Some(stderr.into_inner());
    while fs::metadata(scratch.path("log")).map_or(true, |log| log.len() < 200_000) {
        assert_eq!(child.try_wait().expect("it is our child"), None, "the run goes on");
        std::thread::yield_now();
    }
    running
}

fn read(pipe: Option<impl Read>) -> String {
    let mut text = String::new();
    pipe.expect("a pipe").read_to_string(&mut text).expect("output is UTF-8");
    text
}

/// The number of games in the log, each of which has to be complete.
fn count_games(log: &str) -> u64 {
    let is_complete = |line: &&str| line.starts_with("{\"type\":\"game\"") && line.ends_with("]}");
    assert!(log.ends_with('\n'), "the last line is whole");
    assert_eq!(log.lines().skip(1).filter(is_complete).count(), log.lines().count() - 1);
    log.lines().count() as u64 - 1
}

/// A number without the commas that the terminal has between thousands.
fn without_commas(text: &str) -> u64 {
    text.replace(',', "").parse().expect("a number")
}

/// Expects the signal to end a run in order: with provisional standings, and a log that can be used.
#[track_caller]
fn check_orderly_end(signal: &str, game: &str) {
    let scratch = Scratch::new();
    let mut running = start_run(&scratch, game);
    let child = &mut running.0;
    send(signal, child);
    let status = child.wait().expect("the run ends");
    assert_eq!(status.code(), Some(130));
    assert_eq!(read(child.stdout.take()), "");
    let err = read(child.stderr.take());
    let first = err.lines().next().expect("a message");
    let games = first.strip_prefix("interrupted after ").and_then(|rest| rest.split_once(' '));
    let (games, rest) = games.unwrap_or_else(|| panic!("{err}"));
    assert_eq!(rest, "of 100,000,000 games; so far:");
    assert!(err.contains("points") && !err.contains("hampion"), "{err}");

    let log = scratch.read("log");
    assert_eq!(count_games(&log), without_commas(games));
    for game in ["1", &games.replace(',', "")] {
        let output = scratch.run(&["replay", "log", game]);
        assert_eq!((output.code, output.err.as_str()), (0, ""), "game {game}");
    }
}

#[test]
fn ctrl_c_ends_a_run_in_order() {
    check_orderly_end("-INT", "yahtzee");
    check_orderly_end("-INT", "liars-dice");
}

#[test]
fn a_request_to_terminate_ends_a_run_in_order() {
    check_orderly_end("-TERM", "yahtzee");
}

#[test]
fn a_killed_run_leaves_complete_lines() {
    let scratch = Scratch::new();
    let mut running = start_run(&scratch, "yahtzee");
    send("-KILL", &running.0);
    assert_eq!(running.0.wait().expect("the run ends").signal(), Some(9));
    let log = scratch.read("log");
    let end = log.rfind('\n').expect("whole lines") + 1;
    assert!(count_games(&log[..end]) > 100);
    scratch.write("whole", &log[..end]);
    scratch.run_ok(&["replay", "whole", "100"]);
}

#[test]
fn one_ctrl_c_ends_both_challenges() {
    let scratch = Scratch::new();
    let mut command = scratch.command(&["run", "--games", "100000000"]);
    let mut running = Running(command.spawn().expect("the command starts"));
    let child = &mut running.0;
    let mut stderr = BufReader::new(child.stderr.take().expect("its messages are a pipe"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("messages are UTF-8");
    send("-INT", child);
    assert_eq!(child.wait().expect("the run ends").code(), Some(130));
    assert_eq!(read(child.stdout.take()), "");
    let err = read(Some(stderr));
    assert!(err.contains("Yahtzee") && !err.contains("Liar's Dice"), "{err}");
}

/// A closed terminal and a machine that shuts down send several signals, and the run stores its last games all the same.
#[test]
fn different_signals_in_a_row_end_a_run_in_order() {
    let scratch = Scratch::new();
    let mut running = start_run(&scratch, "yahtzee");
    let child = &mut running.0;
    for signal in ["-HUP", "-TERM", "-HUP", "-INT"] {
        send(signal, child);
    }
    assert_eq!(child.wait().expect("the run ends").code(), Some(130));
    let err = read(child.stderr.take());
    let games = err.strip_prefix("interrupted after ").and_then(|rest| rest.split_once(' '));
    let (games, _) = games.unwrap_or_else(|| panic!("{err}"));
    assert_eq!(count_games(&scratch.read("log")), without_commas(games));
    assert!(err.contains("to continue: dicehill resume log"), "{err}");
}

/// The games that a resumed run checks first are checked no further.
#[test]
fn a_signal_ends_the_check_of_recorded_games() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "--games", "100000000", "--no-luck", "--out", "log"];
    let mut running = Running(scratch.command(&run).spawn().expect("the command starts"));
    while fs::metadata(scratch.path("log")).map_or(true, |log| log.len() < 20_000_000) {
        std::thread::yield_now();
    }
    send("-TERM", &running.0);
    assert_eq!(running.0.wait().expect("the run ends").code(), Some(130));
    // Only a check of all games would find this.
    let log = scratch.read("log");
    let last = log.trim_end().rfind('\n').expect("lines") + 1;
    let altered = log[..last].to_owned() + &log[last..].replace("\"moves\":\"", "\"moves\":\"-,");
    assert_ne!(altered, log);
    scratch.write("log", &altered);
    let resume = scratch.command(&["resume", "log"]).spawn().expect("the command starts");
    let mut running = Running(resume);
    let child = &mut running.0;
    let mut stderr = BufReader::new(child.stderr.take().expect("its messages are a pipe"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("messages are UTF-8");
    assert!(line.starts_with("log: checking "), "{line}");
    send("-TERM", child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!((read(child.stdout.take()), read(Some(stderr))), (String::new(), String::new()));
    assert_eq!(scratch.read("log"), altered);
}

/// A run started with `nohup` ignores the end of its terminal and continues.
#[test]
fn a_signal_ignored_from_the_start_does_not_end_a_run() {
    let scratch = Scratch::new();
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_dicehill"));
    command.args(["run", "yahtzee", "dummy", "random", "--games", "100000000", "--out", "log"]);
    command.current_dir(scratch.path("")).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = Running(command.spawn().expect("there is nohup"));
    let child = &mut running.0;
    let length = || fs::metadata(scratch.path("log")).map_or(0, |log| log.len());
    let wait_for = |child: &mut Child, bytes: u64| {
        while length() < bytes {
            assert_eq!(child.try_wait().expect("it is our child"), None, "the run goes on");
            std::thread::yield_now();
        }
    };
    wait_for(child, 200_000);
    send("-HUP", child);
    let before = length();
    wait_for(child, before + 1_000_000);
    send("-TERM", child);
    assert_eq!(child.wait().expect("the run ends").code(), Some(130));
}

/// Solving takes half a minute of one processor, and its result is stored.
#[test]
fn a_signal_ends_the_solving_of_a_contest() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        if is_ignored(signal) {
            continue;
        }
        let scratch = Scratch::new();
        let run =
            ["run", "yahtzee", "winner", "dummy", "--games", "2", "--no-luck", "--out", "log"];
        let mut command = scratch.command(&run);
        command.env("XDG_CACHE_HOME", scratch.path("cache"));
        let mut running = Running(command.spawn().expect("the command starts"));
        let child = &mut running.0;
        let mut stderr = BufReader::new(child.stderr.take().expect("its messages are a pipe"));
        let mut line = String::new();
        while !line.starts_with("winner: solving the contest") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).expect("messages are UTF-8"), 0, "it solves");
        }
        send(signal, child);
        assert_eq!(child.wait().expect("the run ends").code(), Some(130));
        let err = read(Some(stderr));
        assert!(err.contains("interrupted after 0 of 2 games; so far:"), "{err}");
        assert_eq!(count_games(&scratch.read("log")), 0);
        assert!(!scratch.path("cache/dicehill/contests").exists(), "{signal}: nothing was solved");
    }
}

#[test]
fn an_interrupted_export_leaves_no_file() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "--games", "4000", "--seed", "s", "--out", "log"];
    scratch.run_ok(&run);
    let export = ["export", "log", "--csv", "--out", "tables"];
    let mut running = Running(scratch.command(&export).spawn().expect("the command starts"));
    let child = &mut running.0;
    let has_begun = || {
        let work_folder = fs::read_dir(scratch.path("tables")).ok()?.next()?.ok()?;
        let moves = fs::metadata(work_folder.path().join("own/moves.csv")).ok()?;
        (moves.len() > 0).then_some(())
    };
    while has_begun().is_none() {
        assert_eq!(child.try_wait().expect("it is our child"), None, "the export goes on");
        std::thread::yield_now();
    }
    send("-TERM", child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(read(child.stderr.take()), "interrupted: no file was written\n");
    assert!(!scratch.path("tables").exists());
}
