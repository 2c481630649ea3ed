//! Killed or interrupted runs are resumed and end with the same bytes.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::Value;

use crate::support::external::{bot, python};
use crate::support::running::send;
use crate::support::{CommandOutput, PATIENT, Scratch, hill};

/// Pseudorandom moments in the first `bound` milliseconds of play, the same each time. Before its first game a run
/// solves all positions of the game, which takes as long as a run of two games.
fn moments(bound: u64) -> impl Iterator<Item = Duration> {
    let start = Instant::now();
    let run = ["run", "yahtzee", "dummy", "random", "--games", "2", "--seed", "s"];
    assert_eq!(Scratch::new().run_as_process(&run, b"").code, 0);
    let before = start.elapsed();
    let mix = |place: u64| place.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) >> 22;
    (1..).map(move |place| before + Duration::from_millis(mix(place) % bound))
}

/// Runs a command and kills it after a while; returns whether it had ended before.
fn kill_after(scratch: &Scratch, arguments: &[&str], duration: Duration) -> bool {
    let mut child = scratch.command(arguments).spawn().expect("the command starts");
    std::thread::sleep(duration);
    let ended = child.try_wait().expect("it is our child").is_some();
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    ended
}

/// The document and the log of the uninterrupted run.
fn uninterrupted_run(scratch: &Scratch, from: &[&str]) -> (String, String) {
    let run = [&["run"], from, &["--format", "json", "--out", "whole.jsonl"]].concat();
    let output = scratch.run(&run);
    assert!([0, 3].contains(&output.code), "{output:?}");
    (output.out, scratch.read("whole.jsonl"))
}

/// Kills a run and its resumptions `kills` times in all, then lets it finish.
fn kill_repeatedly(
    scratch: &Scratch,
    begin: &[&str],
    resume: &[&str],
    kills: usize,
    bound: u64,
    check_after_kill: &dyn Fn(),
) -> CommandOutput {
    let mut moments = moments(bound);
    let has_begun = || scratch.path("run.jsonl").exists() || scratch.path("hill.db").exists();
    let mut wait = moments.next().expect("they do not end");
    while !has_begun() || fs::metadata(scratch.path("run.jsonl")).is_ok_and(|log| log.len() == 0) {
        kill_after(scratch, begin, wait);
        wait += wait / 2;
    }
    for wait in moments.take(kills) {
        kill_after(scratch, resume, wait);
        check_after_kill();
    }
    scratch.run(resume)
}

#[test]
fn a_killed_log_is_resumed_to_the_same_bytes() {
    let scratch = Scratch::new();
    let bots = ["yahtzee", "greedy", "aces-and-eights", "dummy", "--seed", "s", "--games", "9000"];
    let (document, log) = uninterrupted_run(&scratch, &bots);
    let begin = [&["run"], &bots[..], &["--format", "json", "--out", "run.jsonl"]].concat();
    let resume = ["resume", "run.jsonl", "--format", "json"];
    let output = kill_repeatedly(&scratch, &begin, &resume, 8, 150, &|| {});
    assert_eq!((output.code, &output.out), (0, &document), "{}", output.err);
    assert!(scratch.read("run.jsonl") == log, "the same log");
}

#[test]
fn a_log_of_external_bots_is_resumed_to_the_same_bytes() {
    let scratch = Scratch::new();
    let [program, option] = python();
    scratch.write("fills.py", COUNTING_BOT.replace("SEED", "sum(message['dice'])"));
    let words = [program, option, "fills.py"];
    let bots = format!("{}{}", bot("P", &words), "[[bot]]\nname = \"A\"\nhouse = \"dummy\"\n");
    scratch.write(
        "h.toml",
        format!(
            "game = \"yahtzee\"\nseed = \"s\"\nopen_seed = true\ngames = 400\n{PATIENT}\n{bots}"
        ),
    );
    let (document, log) = uninterrupted_run(&scratch, &["h.toml"]);
    let begin = ["run", "h.toml", "--out", "run.jsonl"];
    let resume = ["resume", "run.jsonl", "h.toml", "--format", "json"];
    let output = kill_repeatedly(&scratch, &begin, &resume, 2, 300, &|| {});
    assert_eq!((output.code, &output.out), (0, &document), "{}", output.err);
    assert!(scratch.read("run.jsonl") == log, "the same log");
    let without_hill = scratch.run(&["resume", "run.jsonl", "--format", "json"]);
    assert_eq!((without_hill.code, without_hill.out), (0, document), "nothing is left to play");
}

/// Expects an intact database with every game exactly once.
fn check_store(path: &Path) {
    let database = Connection::open(path).expect("a database");
    let query = |sql: &str| -> String {
        let text = format!("SELECT CAST(({sql}) AS TEXT)");
        database.query_row(&text, [], |row| row.get(0)).expect("it can be asked")
    };
    let integrity: String = database
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .expect("it can be checked");
    assert_eq!(integrity, "ok");
    assert_eq!(query("SELECT count(*) - count(DISTINCT game) FROM game"), "0", "twice");
    assert_eq!(query("SELECT coalesce(max(game), 0) - count(*) FROM game"), "0", "lost");
}

fn stored_runs(path: &Path) -> i64 {
    let database = Connection::open(path).expect("a database");
    database.query_row("SELECT count(*) FROM run", [], |row| row.get(0)).expect("it can be read")
}

fn check_killed_store(scratch: &Scratch, no_moves: bool, kills: usize) {
    let games = ["--games", "9000", "--seed", "s"];
    let (document, _) = uninterrupted_run(
        scratch,
        &[&["yahtzee", "greedy", "aces-and-eights", "dummy"], &games[..]].concat(),
    );
    let init = scratch
        .run(&[&["hill", "init", "hill.db", "yahtzee", "--name", "yahtzee"], &games[..]].concat());
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
    let resume = ["resume", "hill.db#1", "--format", "json"];
    for wait in moments.take(kills) {
        kill_after(scratch, &resume, wait);
        check_store(&path);
    }
    let output = scratch.run(&resume);
    assert_eq!((output.code, &output.out), (0, &document), "{}", output.err);
    check_store(&path);
    let repeated = scratch.run(&resume);
    assert_eq!((repeated.code, &repeated.out), (0, &document), "{}", repeated.err);
}

#[test]
fn a_killed_store_is_resumed_to_the_same_bytes() {
    check_killed_store(&Scratch::new(), false, 8);
}

#[test]
fn a_killed_store_without_moves_is_resumed_to_the_same_bytes() {
    let scratch = Scratch::new();
    check_killed_store(&scratch, true, 6);
    let output = scratch.run(&["replay", "hill.db#1", "17"]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("the moves of this game were not kept"), "{}", output.err);
}

/// The effect of a power failure: the end of the last write is missing or garbled.
#[test]
fn torn_writes_are_played_again() {
    let scratch = Scratch::new();
    let games = ["--games", "9000", "--seed", "s"];
    let (document, _) =
        uninterrupted_run(&scratch, &[&["yahtzee", "greedy", "dummy"], &games[..]].concat());
    scratch.run_ok(
        &[&["hill", "init", "hill.db", "yahtzee", "--name", "yahtzee"], &games[..]].concat(),
    );
    let begin = ["hill", "add", "hill.db", "greedy", "dummy", "--jobs", "1"];
    let mut child = scratch.command(&begin).spawn().expect("the command starts");
    let wal = scratch.path("hill.db-wal");
    let length = || fs::metadata(&wal).map_or(0, |wal| wal.len());
    // The torn part comes after the transaction that began the run.
    while stored_runs(&scratch.path("hill.db")) == 0 {
        std::thread::yield_now();
    }
    let length_at_begin = length();
    while length() < length_at_begin + 50_000 {
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
        let output = scratch.run_ok(&["resume", "hill.db#1", "--format", "json"]);
        assert_eq!(output.out, document);
        check_store(&scratch.path("hill.db"));
    }
}

/// A bot whose choices may depend on how many games it has seen.
const COUNTING_BOT: &str = "\
import json, sys
print(json.dumps({'type': 'ready', 'inflight': 1}), flush=True)
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

fn write_hill_with_memory(scratch: &Scratch, choice: &str) {
    scratch.write("remembers.py", COUNTING_BOT.replace("SEED", choice));
    let keys = "game = \"yahtzee\"\nseed = \"s\"\nopen_seed = true\ngames = 60\nmemory = \"set\"";
    let [program, option] = python();
    let words = [program, option, "remembers.py"];
    let house = hill(keys, &["dummy"]);
    scratch.write("h.toml", format!("{house}{}", bot("R", &words)));
}

#[test]
fn bots_with_memory_have_their_games_replayed_to_them() {
    let scratch = Scratch::new();
    write_hill_with_memory(&scratch, "games");
    let (document, log) = uninterrupted_run(&scratch, &["h.toml"]);
    for games in [1, 17, 59] {
        let kept: String = log.split_inclusive('\n').take(1 + games).collect();
        scratch.write("run.jsonl", format!("{kept}{{\"type\":\"game\",\"ga"));
        let output = scratch.run(&["resume", "run.jsonl", "h.toml", "--format", "json"]);
        assert_eq!((output.code, &output.out), (0, &document), "{}", output.err);
        assert!(!output.err.contains("not deterministic"), "{}", output.err);
        assert!(scratch.read("run.jsonl") == log, "the same log");
    }
}

#[test]
fn a_bot_that_answers_differently_is_reported() {
    let scratch = Scratch::new();
    write_hill_with_memory(&scratch, "int.from_bytes(__import__('os').urandom(4), 'big')");
    let (_, log) = uninterrupted_run(&scratch, &["h.toml"]);
    let kept: Vec<_> = log.lines().take(31).collect();
    scratch.write("run.jsonl", kept.join("\n") + "\n");
    let output = scratch.run_ok(&["resume", "run.jsonl", "h.toml", "--format", "json"]);
    let message = "R is not deterministic, so its memory is lost: in game ";
    assert_eq!(output.err.matches(message).count(), 1, "{}", output.err);
    let log = scratch.read("run.jsonl");
    assert!(log.starts_with(&kept.join("\n")), "what was recorded counts");
    let result: Value = serde_json::from_str(log.lines().last().expect("a result")).expect("JSON");
    // The bot plays at random: the two may end with equal points, and then play on.
    let games = 60 + result["extra_games"].as_u64().expect("a number") as usize;
    assert_eq!(log.lines().count(), games + 3, "and the run has come to its end");
}

#[test]
fn a_changed_bot_or_program_is_refused() {
    let scratch = Scratch::new();
    write_hill_with_memory(&scratch, "0");
    let (_, log) = uninterrupted_run(&scratch, &["h.toml"]);
    let kept: Vec<_> = log.lines().take(11).collect();
    scratch.write("run.jsonl", kept.join("\n") + "\n");
    let check = |arguments: &[&str], message: &str| {
        let before = fs::read(scratch.path("run.jsonl")).expect("the log");
        let output = scratch.run(&[&["resume", "run.jsonl"], arguments].concat());
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{}", output.err);
        assert!(output.err.contains(message), "{}", output.err);
        assert!(fs::read(scratch.path("run.jsonl")).unwrap() == before, "nothing is changed");
    };
    check(&[], "does not say where R is: pass its hill file");
    check(&["greedy"], "does not say where R is, and no bot of greedy has this name: pass");
    write_hill_with_memory(&scratch, "1");
    check(&["h.toml"], "cannot continue as it began: the bot R has changed");
    check(&["h.toml"], "; put back what has changed, or start another run");
    write_hill_with_memory(&scratch, "0");
    // A log of a program whose headers had no hash yet.
    let (header, _) = kept[0].rsplit_once(",\"header_hash\"").expect("a hash");
    let header = header.replacen("\"dicehill 0.", "\"dicehill 9.", 1) + "}";
    scratch.write("run.jsonl", [&[header.as_str()], &kept[1..]].concat().join("\n") + "\n");
    check(&["h.toml"], "program was \"dicehill 9.");
}

/// Interrupts a run with Ctrl-C, and resumes it with the printed command.
#[test]
fn the_command_to_resume_is_printed() {
    let scratch = Scratch::new();
    // Enough games for some seconds of play on one thread after the log has begun.
    let games = ["--games", "30000", "--seed", "s"];
    let bots = [&["yahtzee", "greedy", "dummy"], &games[..]].concat();
    let (document, _) = uninterrupted_run(&scratch, &bots);
    let begin = [&["run"], &bots[..], &["--out", "my run.jsonl", "--jobs", "1"]].concat();
    let child = scratch.command(&begin).spawn().expect("the command starts");
    let log = scratch.path("my run.jsonl");
    while fs::metadata(&log).map_or(true, |log| log.len() < 100_000) {
        std::thread::sleep(Duration::from_millis(1));
    }
    send("-INT", &child);
    let output = CommandOutput::from(child.wait_with_output().expect("it ends"));
    assert_eq!((output.code, output.out.as_str()), (130, ""), "{}", output.err);
    let message = output.err.lines().find_map(|line| line.strip_prefix("to continue: dicehill "));
    let message = message.unwrap_or_else(|| panic!("{}", output.err));
    assert_eq!(message, "resume 'my run.jsonl'");
    let output = scratch.run(&["resume", "my run.jsonl", "--format", "json"]);
    assert_eq!((output.code, output.out), (0, document));
}

/// The bytes of a log of Yahtzee, and the command that resumes it.
fn finished_log(scratch: &Scratch) -> Vec<u8> {
    let bots = ["yahtzee", "dummy", "random", "--no-luck", "--seed", "s", "--games", "60"];
    scratch.run_ok(&[&["run"], &bots[..], &["--out", "run.jsonl"]].concat());
    fs::read(scratch.path("run.jsonl")).expect("the log")
}

#[test]
fn a_log_with_a_hole_is_resumed_on_request_to_the_same_bytes() {
    let scratch = Scratch::new();
    let whole = finished_log(&scratch);
    let mut torn = whole.clone();
    torn[8000..8100].fill(0);
    scratch.write("run.jsonl", &torn);
    let line = whole[..8000].iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = whole[..8000].iter().rposition(|byte| *byte == b'\n').expect("a line") + 1;
    let refused = scratch.run(&["resume", "run.jsonl"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
    for part in [
        &format!("run.jsonl:{line}: 100 NUL bytes"),
        &format!("the {} lines before it are complete", line - 1),
        &format!(
            "`dicehill resume run.jsonl --discard-torn` removes everything from byte {start} on"
        ),
    ] {
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
    assert!(fs::read(scratch.path("run.jsonl")).expect("the log") == torn, "nothing is removed");
    let resumed = scratch.run_ok(&["resume", "run.jsonl", "--discard-torn"]);
    let removed = format!("run.jsonl: removed: line {line}, from byte {start} on, ");
    assert!(resumed.err.contains(&removed), "{}", resumed.err);
    assert!(fs::read(scratch.path("run.jsonl")).expect("the log") == whole, "the same bytes");
}

#[test]
fn whole_games_behind_a_line_of_other_text_are_counted() {
    let scratch = Scratch::new();
    let whole = String::from_utf8(finished_log(&scratch)).expect("UTF-8");
    // Without the seal and the result, as of a run that was killed.
    let mut lines: Vec<_> = whole.lines().take(50).collect();
    lines[5] = "hello world";
    scratch.write("run.jsonl", lines.join("\n") + "\n");
    let refused = scratch.run(&["resume", "run.jsonl"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
    for part in
        ["run.jsonl:6: ", "the 5 lines before it are complete, and 44 whole games follow it"]
    {
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
    scratch.run_ok(&["resume", "run.jsonl", "--discard-torn"]);
    assert_eq!(scratch.read("run.jsonl"), whole, "house bots play the same again");
}

#[test]
fn an_altered_game_before_a_torn_tail_is_named_and_nothing_is_removed() {
    let scratch = Scratch::new();
    let whole = String::from_utf8(finished_log(&scratch)).expect("UTF-8");
    let altered = whole.replacen("CHANCE", "#HANCE", 1);
    let torn = &altered[..whole.rfind("\"moves\"").expect("a game")];
    scratch.write("run.jsonl", torn);
    for more in [&[][..], &["--discard-torn"]] {
        let refused = scratch.run(&[&["resume", "run.jsonl"], more].concat());
        let names = refused.err.contains("run.jsonl:2: ") && refused.err.contains("#HANCE");
        assert!(refused.code == 1 && names, "{refused:?}");
        assert!(!refused.err.contains("removed"), "{refused:?}");
        assert_eq!(scratch.read("run.jsonl"), torn);
    }
    let verified = scratch.run(&["verify", "run.jsonl"]);
    assert!(
        verified.out.contains("#HANCE") && verified.out.contains("not verified"),
        "{verified:?}"
    );
    let also = "the log also breaks off or is damaged here";
    assert!(verified.code == 1 && verified.err.contains(also), "{verified:?}");
    assert!(!verified.err.contains("dicehill resume"), "{verified:?}");
    scratch.write("run.jsonl", &whole[..torn.len()]);
    let verified = scratch.run(&["verify", "run.jsonl"]);
    assert!(verified.code == 2 && !verified.out.contains("verified: "), "{verified:?}");
    scratch.run_ok(&["resume", "run.jsonl"]);
    assert_eq!(scratch.read("run.jsonl"), whole);
}

#[test]
fn an_incomplete_line_behind_a_result_is_removed() {
    let scratch = Scratch::new();
    let whole = finished_log(&scratch);
    scratch.write("run.jsonl", [&whole[..], b"{\"type\":\"game\","].concat());
    let resumed = scratch.run_ok(&["resume", "run.jsonl", "--format", "json"]);
    assert!(resumed.err.contains("the line breaks off"), "{}", resumed.err);
    assert!(resumed.err.contains("this run has ended already"), "{}", resumed.err);
    assert!(whole.ends_with(resumed.out.as_bytes()), "the result");
    assert!(fs::read(scratch.path("run.jsonl")).expect("the log") == whole, "the same bytes");
}
