//! Bots outside that are deterministic: the same bytes on any number of threads, with any number of
//! requests unanswered, at any speed.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::support::external::{bot, python, source};
use crate::support::{Scratch, hill};

/// How a run is carried out, none of which may be seen in its result.
struct Way {
    jobs: &'static str,
    /// Requests that the bot without a kit says it is ready for; empty if it says nothing.
    inflight: &'static str,
    /// Milliseconds for which it thinks now and then.
    delay: &'static str,
}

const fn way(jobs: &'static str, inflight: &'static str, delay: &'static str) -> Way {
    Way { jobs, inflight, delay }
}

/// A bot with the Python kit, one without, and house bots.
fn prepare(scratch: &Scratch, keys: &str, house: &[&str]) {
    fs::create_dir_all(scratch.path("steady/examples")).expect("a folder for the bot");
    fs::create_dir(scratch.path("outside")).expect("a folder for the other");
    let kit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/python");
    for name in ["dicehill.py", "examples/steady.py"] {
        let content = fs::read(kit.join(name)).expect("the kit is there");
        scratch.write(&format!("steady/{name}"), content);
    }
    let [program, option] = python();
    let steady = bot("Steady", &[program, option, "examples/steady.py"]);
    let outside = scratch.path("outside").to_string_lossy().into_owned();
    let plain = bot("Plain", &[program, option, &source("plain.py"), &outside]);
    let keys = format!("seed = \"same\"\n{keys}\n[limits]\nstart_ms = 30000\nmove_ms = 20000");
    let house = hill(&keys, house);
    scratch.write("hill.toml", format!("{house}{plain}{steady}dir = \"steady\"\n"));
}

/// Plays the hill in this way: result document and log.
#[track_caller]
fn play(scratch: &Scratch, options: &[&str], way: &Way) -> (String, String) {
    let Way { jobs, inflight, delay } = way;
    scratch.write("outside/inflight", inflight);
    scratch.write("outside/delay", delay);
    let log = scratch.path("log");
    let _none_yet = fs::remove_file(&log);
    let run = ["run", "hill.toml", "--format", "json", "--out", "log", "--jobs", jobs];
    let ran = scratch.run(&[&run[..], options].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "jobs {jobs}, inflight {inflight:?}");
    (ran.out, fs::read_to_string(log).expect("the log is there"))
}

/// Expects a hill with these keys to give the same bytes in all ways.
#[track_caller]
fn check(keys: &str, house: &[&str], ways: &[Way]) {
    check_with(&[], keys, house, ways);
}

/// The same with further options of the command line.
#[track_caller]
fn check_with(options: &[&str], keys: &str, house: &[&str], ways: &[Way]) {
    let scratch = Scratch::new();
    prepare(&scratch, keys, house);
    let first = play(&scratch, options, &ways[0]);
    assert!(first.1.lines().count() > 10, "games were played");
    for way in &ways[1..] {
        let Way { jobs, inflight, delay } = way;
        let again = play(&scratch, options, way);
        assert_eq!(again, first, "{keys}: jobs {jobs}, inflight {inflight:?}, delay {delay:?}");
    }
}

/// Enough to tell threads, requests in flight and speed apart.
const WAYS: [Way; 6] = [
    way("1", "", ""),
    way("4", "", ""),
    way("2", "1", "1"),
    way("4", "2", ""),
    way("1", "64", "1"),
    way("2", "64", ""),
];

#[test]
fn yahtzee_is_the_same_in_every_way() {
    check("game = \"yahtzee\"\ngames = 24", &["aces-and-eights"], &WAYS);
}

#[test]
fn liars_dice_is_the_same_in_every_way() {
    check("game = \"liars-dice\"\ngames = 24", &["pirate", "nobody"], &WAYS);
}

#[test]
fn blocks_are_the_same_in_every_way() {
    let keys = "game = \"yahtzee\"\nformat = \"duel\"\ngames = 12";
    check(keys, &["greedy"], &WAYS);
}

#[test]
fn a_run_that_ends_early_ends_in_every_way_at_the_same_game() {
    let ways = [way("1", "", ""), way("4", "64", ""), way("2", "2", "1")];
    check_with(&["--until", "0.9"], "game = \"yahtzee\"\ngames = 2000", &["greedy"], &ways);
}

#[test]
fn sets_are_the_same_in_every_way() {
    let ways = [way("1", "", ""), way("4", "", ""), way("2", "1", "1"), way("4", "64", "")];
    check("game = \"liars-dice\"\nmemory = \"set\"\ngames = 40", &["pirate"], &ways);
    check("game = \"yahtzee\"\nmemory = \"set\"\ngames = 20", &["greedy"], &ways);
}
