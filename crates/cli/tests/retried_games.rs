//! Games that failed together with others are played again alone, and only a failure there counts.

#![cfg(unix)]

use std::fs;

use serde_json::Value;

use crate::support::external::{bot, python, source};
use crate::support::{CommandOutput, Scratch, hill};

/// The time limit of a move that no bot reaches, and one that only a sleeping bot reaches.
const PATIENT: u64 = 60_000;
const HASTY: u64 = 3000;

/// A hill with a bot that is controlled by files in the folder `outside`.
fn prepare(keys: &str, house: &[&str], move_ms: u64) -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("outside")).expect("a folder for the bot");
    let outside = scratch.path("outside").to_string_lossy().into_owned();
    let [program, option] = python();
    let guilty = bot("Guilty", &[program, option, &source("plain.py"), &outside]);
    let limits = format!("[limits]\nstart_ms = 60000\nmove_ms = {move_ms}");
    let file = hill(&format!("{keys}\nseed = \"s\"\nopen_seed = true\n{limits}"), house);
    scratch.write("hill.toml", format!("{file}{guilty}read = [{outside:?}]\n"));
    scratch
}

/// Plays the hill with this many open requests; returns the log too.
#[track_caller]
fn play(scratch: &Scratch, jobs: &str, inflight: &str) -> (CommandOutput, String) {
    play_with(scratch, jobs, inflight, &[])
}

/// The same with a bot that may write outside of its sandbox.
#[track_caller]
fn play_without_isolation(
    scratch: &Scratch,
    jobs: &str,
    inflight: &str,
) -> (CommandOutput, String) {
    play_with(scratch, jobs, inflight, &["--no-isolation", "--logs", "logs"])
}

#[track_caller]
fn play_with(
    scratch: &Scratch,
    jobs: &str,
    inflight: &str,
    options: &[&str],
) -> (CommandOutput, String) {
    scratch.write("outside/inflight", inflight);
    let log = scratch.path("log");
    let _none_yet = fs::remove_file(&log);
    let run = ["run", "hill.toml", "--format", "json", "--out", "log", "--jobs", jobs];
    let output = scratch.run_ok(&[&run, options].concat());
    (output, fs::read_to_string(log).expect("the log is there"))
}

/// The numbers of the games in the log that hold a failure.
fn failed_games(log: &str) -> Vec<u64> {
    let games = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    games
        .filter(|line| line["type"] == "game" && line["failures"].is_array())
        .map(|line| line["game"].as_u64().expect("a number"))
        .collect()
}

/// The numbers of the games that messages report as failed, with this result of the retrial.
fn reported_games(err: &str, what: &str) -> Vec<u64> {
    let number = |line: &str| {
        let (game, rest) = line.strip_prefix("Guilty failed in game ")?.split_once(", ")?;
        let rest = rest.strip_prefix("and ").or_else(|| rest.strip_prefix("but "))?;
        rest.starts_with(what).then(|| game.parse().expect("a number"))
    };
    err.lines().filter_map(number).collect()
}

/// Expects only the games that cause this trouble to be charged, however many are open in a process.
#[track_caller]
fn check_charged(trouble: &str) {
    let house = ["pirate", "nobody", "badnomial"];
    let scratch = prepare("game = \"liars-dice\"\ngames = 60", &house, PATIENT);
    scratch.write("outside/trouble", trouble);
    let (one_by_one, log) = play(&scratch, "1", "");
    let failed = failed_games(&log);
    assert!((2..10).contains(&failed.len()), "some, and too few to be barred: {failed:?}");
    for (jobs, inflight) in [("1", "1"), ("2", "1"), ("1", "64"), ("2", "64")] {
        let (output, other_log) = play(&scratch, jobs, inflight);
        let settings = format!("{trouble}, jobs {jobs}, inflight {inflight}: {}", output.err);
        assert_eq!(failed_games(&other_log), failed, "{settings}");
        assert_eq!((&output.out, &other_log), (&one_by_one.out, &log), "{settings}");
        let guilty = reported_games(&output.err, "again when the game was replayed alone");
        let innocent = reported_games(&output.err, "not when the game was replayed alone");
        assert!(!guilty.is_empty(), "{settings}");
        assert!(inflight == "1" || !innocent.is_empty(), "{settings}");
        assert!(guilty.iter().all(|game| failed.contains(game)), "{settings}");
        assert!(innocent.iter().all(|game| !failed.contains(game)), "{settings}");
    }
}

#[test]
fn a_crash_is_charged_to_the_games_that_cause_it_alone() {
    check_charged("crash");
}

#[test]
fn a_second_answer_is_charged_to_the_games_that_cause_it_alone() {
    check_charged("twice");
}

/// Which game is the third depends on the number of workers.
#[test]
fn a_process_that_fails_after_many_games_is_not_charged() {
    check_not_charged("tired 3");
}

/// The process of the qualification, which has played four games there, plays the first one of the run next.
#[test]
fn games_of_the_qualification_are_not_charged_to_the_run() {
    let messages = check_not_charged("tired 5");
    let innocent = reported_games(&messages, "not when the game was replayed alone");
    assert_eq!(innocent.first(), Some(&1), "{messages}");
}

/// Plays with a bot that fails once its process has played too many games. Returns the messages of one worker that asks for one
/// answer at a time.
#[track_caller]
fn check_not_charged(trouble: &str) -> String {
    let scratch = prepare("game = \"liars-dice\"\ngames = 20", &["pirate", "nobody"], PATIENT);
    scratch.write("outside/trouble", trouble);
    let (one_by_one, log) = play(&scratch, "1", "");
    let messages: Vec<_> = one_by_one.err.lines().collect();
    assert!(
        matches!(messages[..], [line] if line.starts_with("warning: the seed is open")),
        "{messages:?}"
    );
    assert_eq!(failed_games(&log), Vec::<u64>::new());
    let runs = [("1", "1"), ("2", "1"), ("1", "64")].map(|(jobs, inflight)| {
        let (output, other_log) = play(&scratch, jobs, inflight);
        let innocent = reported_games(&output.err, "not when the game was replayed alone");
        assert!(!innocent.is_empty(), "jobs {jobs}, inflight {inflight}");
        assert!(output.err.contains("\n    I play for "), "its log: {}", output.err);
        assert_eq!((&output.out, &other_log), (&one_by_one.out, &log), "{jobs} {inflight}");
        output.err
    });
    let [one, ..] = runs;
    one
}

#[test]
fn a_single_timeout_is_not_charged() {
    let scratch = prepare("game = \"yahtzee\"\ngames = 6", &["dummy"; 6], HASTY);
    let (undisturbed, log) = play_without_isolation(&scratch, "1", "");
    let messages: Vec<_> = undisturbed.err.lines().collect();
    let is_expected = |[isolation, seed]: [&str; 2]| {
        isolation.starts_with("--no-isolation: ") && seed.starts_with("warning: the seed is open")
    };
    assert!(<[&str; 2]>::try_from(&messages[..]).is_ok_and(is_expected), "{messages:?}");
    // One worker plays the games in order. The games of the qualification have other seeds.
    let bot_log = scratch.read("logs/Guilty.log");
    let last_seed = bot_log.lines().rev().find_map(|line| line.strip_prefix("I play for "));
    scratch.write("outside/seed", last_seed.expect("a game was played"));
    for inflight in ["", "64"] {
        scratch.write("outside/trouble", "slow");
        let _not_yet = fs::remove_file(scratch.path("outside/was-slow"));
        let (late, log_late) = play_without_isolation(&scratch, "2", inflight);
        let innocent = reported_games(&late.err, "not when the game was replayed alone");
        assert!(!innocent.is_empty() && late.err.contains("no answer within"), "{}", late.err);
        assert_eq!((late.out, log_late), (undisturbed.out.clone(), log.clone()));
    }
}

/// Each answer is in time, but every other one takes 0.2 s: more than 2 s in each game.
#[test]
fn a_bot_that_is_slow_in_every_move_is_barred_by_the_time_for_a_game() {
    let scratch = prepare("game = \"yahtzee\"\ngames = 6", &["dummy"; 2], PATIENT);
    let limits = format!("move_ms = {PATIENT}");
    let file = scratch.read("hill.toml").replace(&limits, &format!("{limits}\ngame_ms = 1000"));
    scratch.write("hill.toml", file);
    scratch.write("outside/delay", "200");
    let run = ["run", "hill.toml", "--format", "json", "--jobs", "1"];
    let output = scratch.run(&run);
    assert_eq!(output.code, 3, "{}", output.err);
    let document = output.json();
    let rows = document["standings"].as_array().expect("standings");
    let guilty = rows.iter().find(|row| row["bot"] == "Guilty").expect("every entrant has a row");
    let barred = &guilty["barred"];
    assert_eq!((&barred["reason"], &barred["game"]), (&"game-timeout".into(), &1.into()));
    let detail = barred["detail"].as_str().expect("a text");
    assert_eq!(
        detail,
        "its answers in this game took longer than 1000 ms together (game_ms = 1000)"
    );
    assert_eq!(reported_games(&output.err, "again when the game was replayed alone"), [1]);
    assert!(rows.iter().all(|row| row["bot"] == "Guilty" || row["games"] == 6), "{document}");
}
