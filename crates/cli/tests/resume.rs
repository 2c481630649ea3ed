//! Runs that are killed or interrupted go on as if nothing had been.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::support::external::{bot, python};
use crate::support::{PATIENT, Ran, Scratch, hill};

/// Pseudorandom moments in the first `bound` milliseconds of play, the same each time. Before it all positions of
/// the game are solved, which takes as long as a run of two games.
fn moments(bound: u64) -> impl Iterator<Item = Duration> {
    let begun = Instant::now();
    let run = ["run", "yahtzee", "dummy", "random", "--games", "2", "--seed", "s"];
    assert_eq!(Scratch::new().run_as_process(&run, b"").code, 0);
    let before = begun.elapsed();
    let mix = |place: u64| place.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) >> 22;
    (1..).map(move |place| before + Duration::from_millis(mix(place) % bound))
}

/// Runs a command and kills it after a while; says whether it had ended before.
fn kill_after(scratch: &Scratch, arguments: &[&str], while_: Duration) -> bool {
    let mut child = scratch.command(arguments).spawn().expect("the command starts");
    std::thread::sleep(while_);
    let ended = child.try_wait().expect("it is our child").is_some();
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    ended
}

/// What somebody would have seen who had not been interrupted: the document, and the log.
fn whole(scratch: &Scratch, from: &[&str]) -> (String, String) {
    let run = [&["run"], from, &["--format", "json", "--out", "whole.jsonl"]].concat();
    let ran = scratch.run(&run);
    assert!([0, 3].contains(&ran.code), "{ran:?}");
    (ran.out, scratch.read("whole.jsonl"))
}

/// Kills a run and then whoever goes on with it, `kills` times in all, before somebody may end it.
fn killed_again_and_again(
    scratch: &Scratch,
    begin: &[&str],
    go_on: &[&str],
    kills: usize,
    bound: u64,
    whole_after: &dyn Fn(),
) -> Ran {
    let mut moments = moments(bound);
    let begun = || scratch.path("run.jsonl").exists() || scratch.path("hill.db").exists();
    let mut wait = moments.next().expect("they do not end");
    while !begun() || fs::metadata(scratch.path("run.jsonl")).is_ok_and(|log| log.len() == 0) {
        kill_after(scratch, begin, wait);
        wait += wait / 2;
    }
    for wait in moments.take(kills) {
        kill_after(scratch, go_on, wait);
        whole_after();
    }
    scratch.run(go_on)
}

#[test]
fn a_killed_log_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new();
    let bots = ["yahtzee", "greedy", "aces-and-eights", "dummy", "--seed", "s", "--games", "9000"];
    let (document, log) = whole(&scratch, &bots);
    let begin = [&["run"], &bots[..], &["--format", "json", "--out", "run.jsonl"]].concat();
    let go_on = ["resume", "run.jsonl", "--format", "json"];
    let ran = killed_again_and_again(&scratch, &begin, &go_on, 8, 150, &|| {});
    assert_eq!((ran.code, &ran.out), (0, &document), "{}", ran.err);
    assert!(scratch.read("run.jsonl") == log, "the same log");
}

#[test]
fn a_log_with_bots_outside_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new();
    let [program, option] = python();
    scratch.write("fills.py", REMEMBERS.replace("SEED", "sum(message['dice'])"));
    let words = [program, option, "fills.py"];
    let bots = format!("{}{}", bot("P", &words), "[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n");
    scratch.write(
        "h.toml",
        format!("game = \"yahtzee\"\nseed = \"s\"\ngames = 60\n{PATIENT}\n{bots}"),
    );
    let (document, log) = whole(&scratch, &["h.toml"]);
    let begin = ["run", "h.toml", "--out", "run.jsonl"];
    let go_on = ["resume", "run.jsonl", "h.toml", "--format", "json"];
    let ran = killed_again_and_again(&scratch, &begin, &go_on, 2, 900, &|| {});
    assert_eq!((ran.code, &ran.out), (0, &document), "{}", ran.err);
    assert!(scratch.read("run.jsonl") == log, "the same log");
    let nowhere = scratch.run(&["resume", "run.jsonl"]);
    assert_eq!((nowhere.code, nowhere.out), (0, document), "nothing is left to play");
}

/// SQLite finds nothing wrong with the store, and every game is there once.
fn check_store(path: &Path) {
    let database = Connection::open(path).expect("a database");
    let one = |sql: &str| -> String {
        let text = format!("SELECT CAST(({sql}) AS TEXT)");
        database.query_row(&text, [], |row| row.get(0)).expect("it can be asked")
    };
    let whole: String = database
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .expect("it can be checked");
    assert_eq!(whole, "ok");
    assert_eq!(one("SELECT count(*) - count(DISTINCT game) FROM game"), "0", "twice");
    assert_eq!(one("SELECT coalesce(max(game), 0) - count(*) FROM game"), "0", "lost");
}

fn stored_runs(path: &Path) -> i64 {
    let database = Connection::open(path).expect("a database");
    database.query_row("SELECT count(*) FROM run", [], |row| row.get(0)).expect("it can be read")
}

fn killed_store(scratch: &Scratch, no_moves: bool, kills: usize) {
    let games = ["--games", "9000", "--seed", "s"];
    let (document, _) =
        whole(scratch, &[&["yahtzee", "greedy", "aces-and-eights", "dummy"], &games[..]].concat());
    let init = scratch.run(&[&["hill", "init", "hill.db", "yahtzee"], &games[..]].concat());
    assert_eq!(init.code, 0, "{}", init.err);
    let mut add =
        vec!["hill", "add", "hill.db", "greedy", "aces-and-eights", "dummy", "--format", "json"];
    add.extend(no_moves.then_some("--no-moves"));
    let path = scratch.path("hill.db");
    let mut moments = moments(200);
    while stored_runs(&path) == 0 {
        kill_after(scratch, &add, moments.next().expect("they do not end"));
        check_store(&path);
    }
    let go_on = ["resume", "hill.db#1", "--format", "json"];
    for wait in moments.take(kills) {
        kill_after(scratch, &go_on, wait);
        check_store(&path);
    }
    let ran = scratch.run(&go_on);
    assert_eq!((ran.code, &ran.out), (0, &document), "{}", ran.err);
    check_store(&path);
    let again = scratch.run(&go_on);
    assert_eq!((again.code, &again.out), (0, &document), "{}", again.err);
}

#[test]
fn a_killed_store_goes_on_to_the_same_bytes() {
    killed_store(&Scratch::new(), false, 8);
}

#[test]
fn a_killed_store_without_moves_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new();
    killed_store(&scratch, true, 6);
    let ran = scratch.run(&["replay", "hill.db#1", "17"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the moves of this game were not kept"), "{}", ran.err);
}

/// What a power failure may leave: the end of what was written last is missing, or is anything.
#[test]
fn a_torn_end_is_played_again() {
    let scratch = Scratch::new();
    let games = ["--games", "9000", "--seed", "s"];
    let (document, _) = whole(&scratch, &[&["yahtzee", "greedy", "dummy"], &games[..]].concat());
    scratch.run_ok(&[&["hill", "init", "hill.db", "yahtzee"], &games[..]].concat());
    let begin = ["hill", "add", "hill.db", "greedy", "dummy", "--jobs", "1"];
    let mut child = scratch.command(&begin).spawn().expect("the command starts");
    let wal = scratch.path("hill.db-wal");
    let length = || fs::metadata(&wal).map_or(0, |wal| wal.len());
    // What is torn is behind the transaction that began the run.
    while stored_runs(&scratch.path("hill.db")) == 0 {
        std::thread::yield_now();
    }
    let begun = length();
    while length() < begun + 50_000 {
        assert_eq!(child.try_wait().expect("it can be asked"), None, "it is killed while it runs");
        std::thread::yield_now();
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let (store, left) = (fs::read(scratch.path("hill.db")), fs::read(&wal));
    let (store, left) = (store.expect("the store"), left.expect("what was written last"));
    let cut = left[..left.len() - 1000].to_vec();
    let mut garbled = left.clone();
    garbled.iter_mut().rev().take(5000).for_each(|byte| *byte ^= 0x5a);
    for torn in [cut, garbled] {
        fs::write(scratch.path("hill.db"), &store).expect("it can be written");
        fs::write(&wal, torn).expect("it can be written");
        let _made_anew = fs::remove_file(scratch.path("hill.db-shm"));
        let ran = scratch.run_ok(&["resume", "hill.db#1", "--format", "json"]);
        assert_eq!(ran.out, document);
        check_store(&scratch.path("hill.db"));
    }
}

/// A bot that may fill by what it has lived through: how many games it has seen so far.
const REMEMBERS: &str = "\
import json, sys
games = 0
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'start':
        games += 1
    if message['type'] == 'turn':
        legal = sorted(message['legal'])
        choice = legal[SEED % len(legal)]
        print(json.dumps({'id': message['id'], 'category': choice}), flush=True)
";

fn remembering_hill(scratch: &Scratch, choice: &str) {
    scratch.write("remembers.py", REMEMBERS.replace("SEED", choice));
    let keys = "game = \"yahtzee\"\nseed = \"s\"\ngames = 60\nmemory = \"set\"";
    let [program, option] = python();
    let words = [program, option, "remembers.py"];
    let house = hill(keys, &["dummy"]);
    scratch.write("h.toml", format!("{house}{}", bot("R", &words)));
}

#[test]
fn bots_that_remember_are_told_again_what_they_were_told() {
    let scratch = Scratch::new();
    remembering_hill(&scratch, "games");
    let (document, log) = whole(&scratch, &["h.toml"]);
    for games in [1, 17, 59] {
        let kept: String = log.split_inclusive('\n').take(1 + games).collect();
        scratch.write("run.jsonl", format!("{kept}{{\"type\":\"game\",\"ga"));
        let ran = scratch.run(&["resume", "run.jsonl", "h.toml", "--format", "json"]);
        assert_eq!((ran.code, &ran.out), (0, &document), "{}", ran.err);
        assert!(!ran.err.contains("not deterministic"), "{}", ran.err);
        assert!(scratch.read("run.jsonl") == log, "the same log");
    }
}

#[test]
fn a_bot_that_answers_otherwise_is_named() {
    let scratch = Scratch::new();
    remembering_hill(&scratch, "int.from_bytes(__import__('os').urandom(4), 'big')");
    let (_, log) = whole(&scratch, &["h.toml"]);
    let kept: Vec<_> = log.lines().take(31).collect();
    scratch.write("run.jsonl", kept.join("\n") + "\n");
    let ran = scratch.run_ok(&["resume", "run.jsonl", "h.toml", "--format", "json"]);
    let named = "R is not deterministic, and what it knew is lost: in game ";
    assert_eq!(ran.err.matches(named).count(), 1, "{}", ran.err);
    let log = scratch.read("run.jsonl");
    assert!(log.starts_with(&kept.join("\n")), "what was recorded counts");
    assert_eq!(log.lines().count(), 63, "and the run has come to its end");
}

#[test]
fn another_bot_or_another_program_is_refused() {
    let scratch = Scratch::new();
    remembering_hill(&scratch, "0");
    let (_, log) = whole(&scratch, &["h.toml"]);
    let kept: Vec<_> = log.lines().take(11).collect();
    scratch.write("run.jsonl", kept.join("\n") + "\n");
    let check = |arguments: &[&str], told: &str| {
        let before = fs::read(scratch.path("run.jsonl")).expect("the log");
        let ran = scratch.run(&[&["resume", "run.jsonl"], arguments].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(told), "{}", ran.err);
        assert!(fs::read(scratch.path("run.jsonl")).unwrap() == before, "nothing is changed");
    };
    check(&[], "says what R is, and not where: name its hill file");
    remembering_hill(&scratch, "1");
    check(&["h.toml"], "cannot go on as it began: the bot R has changed");
    remembering_hill(&scratch, "0");
    // As a program wrote it whose headers had no hash yet.
    let (header, _) = kept[0].rsplit_once(",\"header_hash\"").expect("a hash");
    let header = header.replacen("\"dicehill 0.", "\"dicehill 9.", 1) + "}";
    scratch.write("run.jsonl", [&[header.as_str()], &kept[1..]].concat().join("\n") + "\n");
    check(&["h.toml"], "program was \"dicehill 9.");
}

/// Sends Ctrl-C, and then does what the command says.
#[test]
fn the_command_that_goes_on_is_told() {
    let scratch = Scratch::new();
    // So many that the run goes on for seconds after its log has begun, on one thread.
    let games = ["--games", "30000", "--seed", "s"];
    let bots = [&["yahtzee", "greedy", "dummy"], &games[..]].concat();
    let (document, _) = whole(&scratch, &bots);
    let begin = [&["run"], &bots[..], &["--out", "my run.jsonl", "--jobs", "1"]].concat();
    let child = scratch.command(&begin).spawn().expect("the command starts");
    let log = scratch.path("my run.jsonl");
    while fs::metadata(&log).map_or(true, |log| log.len() < 100_000) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().expect("there is kill");
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert_eq!((ran.code, ran.out.as_str()), (130, ""), "{}", ran.err);
    let told = ran.err.lines().find_map(|line| line.strip_prefix("to go on: dicehill "));
    let told = told.unwrap_or_else(|| panic!("{}", ran.err));
    assert_eq!(told, "resume 'my run.jsonl'");
    let ran = scratch.run(&["resume", "my run.jsonl", "--format", "json"]);
    assert_eq!((ran.code, ran.out), (0, document));
}
