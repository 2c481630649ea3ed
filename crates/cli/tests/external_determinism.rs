//! Deterministic external bots: the same bytes on any number of threads, with any number of open requests, at any
//! speed.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::support::external::{bot, python, source};
use crate::support::{Scratch, hill};

/// Settings of a run that must not affect its result.
struct Timing {
    jobs: &'static str,
    /// Open requests that the bot without an SDK says it can take; empty if it does not say.
    inflight: &'static str,
    /// Milliseconds by which it delays some answers.
    delay: &'static str,
}

const fn timing(jobs: &'static str, inflight: &'static str, delay: &'static str) -> Timing {
    Timing { jobs, inflight, delay }
}

/// Writes a hill with a bot that uses the Python SDK, one without SDK, and house bots.
fn prepare(scratch: &Scratch, keys: &str, house: &[&str]) {
    fs::create_dir_all(scratch.path("steady/examples")).expect("a folder for the bot");
    fs::create_dir(scratch.path("outside")).expect("a folder for the other");
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/python");
    for name in ["dicehill.py", "examples/steady.py"] {
        let content = fs::read(sdk.join(name)).expect("the SDK is there");
        scratch.write(&format!("steady/{name}"), content);
    }
    let [program, option] = python();
    let steady = bot("Steady", &[program, option, "examples/steady.py"]);
    let external = scratch.path("outside").to_string_lossy().into_owned();
    let plain = bot("Plain", &[program, option, &source("plain.py"), &external]);
    let keys = format!(
        "seed = \"same\"\nopen_seed = true\n{keys}\n[limits]\nstart_ms = 30000\nmove_ms = 20000"
    );
    let house = hill(&keys, house);
    scratch.write("hill.toml", format!("{house}{plain}{steady}dir = \"steady\"\n"));
}

/// Plays the hill with these settings; returns the result document and the log.
#[track_caller]
fn play(scratch: &Scratch, options: &[&str], timing: &Timing) -> (String, String) {
    let Timing { jobs, inflight, delay } = timing;
    scratch.write("outside/inflight", inflight);
    scratch.write("outside/delay", delay);
    let log = scratch.path("log");
    let _none_yet = fs::remove_file(&log);
    let run = ["run", "hill.toml", "--format", "json", "--out", "log", "--jobs", jobs];
    let output = scratch.run(&[&run[..], options].concat());
    let messages: Vec<_> =
        output.err.lines().filter(|line| !is_warning_of_open_seed(line)).collect();
    assert_eq!((output.code, messages), (0, Vec::new()), "jobs {jobs}, inflight {inflight:?}");
    (output.out, fs::read_to_string(log).expect("the log is there"))
}

fn is_warning_of_open_seed(line: &str) -> bool {
    line.starts_with("warning: the seed is open")
}

/// Expects a hill with these keys to give the same bytes under all settings.
#[track_caller]
fn check(keys: &str, house: &[&str], timings: &[Timing]) {
    check_with(&[], keys, house, timings);
}

/// The same with further command-line options.
#[track_caller]
fn check_with(options: &[&str], keys: &str, house: &[&str], timings: &[Timing]) {
    let scratch = Scratch::new();
    prepare(&scratch, keys, house);
    let first = play(&scratch, options, &timings[0]);
    assert!(first.1.lines().count() > 10, "games were played");
    for timing in &timings[1..] {
        let Timing { jobs, inflight, delay } = timing;
        let repeated = play(&scratch, options, timing);
        assert_eq!(repeated, first, "{keys}: jobs {jobs}, inflight {inflight:?}, delay {delay:?}");
    }
}

/// Settings that vary threads, open requests and speed.
const TIMINGS: [Timing; 4] =
    [timing("1", "", ""), timing("4", "", ""), timing("2", "1", "1"), timing("2", "64", "")];

/// Some of them, for what differs from [`TIMINGS`] only by game or format.
const FEW_TIMINGS: [Timing; 2] = [timing("1", "", ""), timing("4", "2", "1")];

#[test]
fn yahtzee_does_not_depend_on_timing() {
    check("game = \"yahtzee\"\ngames = 10", &["aces-and-eights"], &TIMINGS);
}

#[test]
fn liars_dice_does_not_depend_on_timing() {
    check("game = \"liars-dice\"\ngames = 12", &["pirate", "nobody"], &FEW_TIMINGS);
}

#[test]
fn duels_do_not_depend_on_timing() {
    let keys = "game = \"yahtzee\"\nformat = \"duel\"\ngames = 4";
    check(keys, &["greedy"], &FEW_TIMINGS);
}

#[test]
fn an_early_end_does_not_depend_on_timing() {
    let timings = [timing("1", "", ""), timing("4", "64", ""), timing("2", "2", "1")];
    check_with(&["--until", "0.9"], "game = \"yahtzee\"\ngames = 2000", &["greedy"], &timings);
}

#[test]
fn sets_do_not_depend_on_timing() {
    let keys = "game = \"liars-dice\"\nmemory = \"set\"\ngames = 40";
    check(keys, &["pirate"], &FEW_TIMINGS);
    check("game = \"yahtzee\"\nmemory = \"set\"\ngames = 20", &["greedy"], &FEW_TIMINGS);
}

/// A process serves many games, whose lines in its log are in an order that depends on the number of workers.
#[test]
fn the_record_of_an_illegal_move_depends_on_no_other_game() {
    let scratch = Scratch::new();
    let source = "import json, sys
print(json.dumps({'type': 'ready', 'inflight': 64}), flush=True)
for line in sys.stdin:
    turn = json.loads(line)
    if turn['type'] == 'turn':
        print('dice', turn['dice'], file=sys.stderr, flush=True)
        best = max(sorted(turn['legal']), key=turn['legal'].get)
        if sorted(turn['dice']) == [2, 2, 2, 5, 5] and turn['round'] > 7:
            best = ILLEGAL
        print(json.dumps({'id': turn['id'], 'category': best}), flush=True)
";
    for illegal in ["'NONE'", "best if 'ACES' in turn['legal'] else 'ACES'"] {
        scratch.write("mine.py", source.replace("ILLEGAL", illegal));
        let record = |jobs: &str| {
            let _none_yet = fs::remove_file(scratch.path("log"));
            let run = ["run", "yahtzee", "mine.py", "greedy", "dummy", "--games", "400"];
            let options = ["--seed", "s", "--no-luck", "--out", "log", "--jobs", jobs];
            let output = scratch.run(&[&run[..], &options].concat());
            assert_eq!(output.code, 3, "{output:?}");
            scratch.read("log")
        };
        let first = record("1");
        assert!(
            first.contains("\"type\":\"barred\"") && first.contains("\"game\":262,"),
            "{first}"
        );
        assert!(first == record("2") && first == record("2"), "{illegal}");
    }
}
