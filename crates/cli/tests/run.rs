//! `run`: the games that it plays, its settings, and its results.

#[cfg(unix)]
use crate::support::external::bot;
use crate::support::{Scratch, hill};
use serde_json::{Value, json};

/// Every key of a hill file.
const EVERY_KEY: &str = r#"
name   = "spring"
game   = "liars-dice"
rules  = "superjedi-2015"
format = "challenge"
games  = 40
seed   = "any text"
memory = "game"
[limits]
start_ms  = 10000
move_ms   = 1000
memory_mb = 512
[[bot]]
name   = "Pirate"
house  = "pirate"
author = "somebody"
url    = "https://example.org/pirate"
votes  = 6
[[bot]]
name  = "Nobody"
house = "nobody"
votes = -2
"#;

/// Runs with `--format json`; returns the documents.
#[track_caller]
fn documents(scratch: &Scratch, arguments: &[&str]) -> Vec<Value> {
    let arguments = [&["run"], arguments, &["--format", "json"]].concat();
    let output = scratch.run_ok(&arguments);
    output
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is a document"))
        .collect()
}

#[track_caller]
fn document(scratch: &Scratch, arguments: &[&str]) -> Value {
    let mut documents = documents(scratch, arguments);
    assert_eq!(documents.len(), 1, "{arguments:?}");
    documents.remove(0)
}

/// The entrants' names in alphabetical order.
fn names(document: &Value) -> Vec<&str> {
    let rows = document["standings"].as_array().expect("standings");
    let mut names: Vec<_> = rows.iter().filter_map(|row| row["bot"].as_str()).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_key_of_a_hill_file_is_used() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", EVERY_KEY);
    let document = document(&scratch, &["hill.toml", "--out", "log"]);
    let expected = [
        ("name", Value::from("spring")),
        ("game", "liars-dice".into()),
        ("rules", "superjedi-2015".into()),
        ("format", "challenge".into()),
        ("games", 40.into()),
        ("seed", "any text".into()),
        ("memory", "game".into()),
    ];
    for (key, value) in expected {
        assert_eq!(document[key], value, "{key}");
    }
    assert_eq!(names(&document), ["Nobody", "Pirate"]);
    let log = scratch.read("log");
    let header = log.lines().next().expect("a header");
    let header: Value = serde_json::from_str(header).expect("the header is JSON");
    assert_eq!(header["limits"]["move_ms"], 1000);
    assert_eq!(header["bots"][0]["author"], "somebody");
    assert_eq!(header["bots"][0]["url"], "https://example.org/pirate");
    assert_eq!(header["bots"][1]["votes"], -2);
}

#[test]
fn all_formats_are_played() {
    let scratch = Scratch::new();
    let house = ["aces-and-eights", "dummy", "random"];
    let play = |keys: &str| {
        let keys = format!("game = \"yahtzee\"\ngames = 4\nseed = \"s\"\n{keys}");
        scratch.write("hill.toml", hill(&keys, &house));
        document(&scratch, &["hill.toml"])
    };
    let duel = play("format = \"duel\"\nseats = 3");
    assert_eq!((&duel["seats"], &duel["games"]), (&3.into(), &6.into()));
    let gauntlet = play("format = \"gauntlet\"");
    assert_eq!((&gauntlet["challenger"], &gauntlet["champion"]), (&"C".into(), &Value::Null));
    assert_eq!(play("format = \"gauntlet\"\nchallenger = \"B\"")["challenger"], "B");
    assert_eq!(play("memory = \"set\"")["memory"], "set");
}

#[test]
fn options_override_the_hill_file() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", EVERY_KEY);
    let changed = document(&scratch, &["hill.toml", "--games", "7", "--seed", "other"]);
    assert_eq!((&changed["games"], &changed["seed"]), (&7.into(), &"other".into()));
    let rewritten = EVERY_KEY.replace("40", "7").replace("any text", "other");
    scratch.write("other.toml", rewritten);
    assert_eq!(document(&scratch, &["other.toml"]), changed);
}

#[test]
fn without_a_file_both_challenges_are_played() {
    let scratch = Scratch::new();
    let documents = documents(&scratch, &["--games", "5", "--seed", "s"]);
    let games: Vec<_> = documents.iter().map(|document| &document["game"]).collect();
    assert_eq!(games, ["yahtzee", "liars-dice"]);
    assert_eq!(documents[0], document(&scratch, &["yahtzee", "--games", "5", "--seed", "s"]));
    assert_eq!(documents[1], document(&scratch, &["liars-dice", "--games", "5", "--seed", "s"]));
}

#[test]
fn repeated_bots_are_numbered() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill("game = \"yahtzee\"", &["random"]));
    let bots = ["dummy", "dummy", "hill.toml#A", "dummy", "hill.toml#A"];
    let arguments = [&["yahtzee"], &bots[..], &["--games", "3", "--seed", "s"]].concat();
    let document = document(&scratch, &arguments);
    assert_eq!(names(&document), ["A", "A-2", "dummy", "dummy-2", "dummy-3"]);
}

#[test]
fn a_random_seed_is_printed() {
    let scratch = Scratch::new();
    let arguments = ["run", "yahtzee", "dummy", "random", "--games", "3", "--format", "json"];
    let output = scratch.run(&arguments);
    let seed = output.err.strip_prefix("seed: ").expect("the seed is on stderr").trim_end();
    assert_eq!(seed.len(), 32);
    assert_eq!(scratch.run(&[&arguments[..], &["--seed", seed]].concat()).out, output.out);
    assert_ne!(scratch.run(&arguments).out, output.out);
}

#[test]
fn any_text_is_a_seed() {
    let scratch = Scratch::new();
    for seed in ["", " ", "-5", "⚂", "a\u{1b}[2Jb\nc", "\u{202e}"] {
        let run = ["run", "yahtzee", "dummy", "random", "--games", "3"];
        let output = scratch.run(&[&run[..], &[&format!("--seed={seed}")]].concat());
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{seed:?}");
        assert!(!output.out.contains(['\u{1b}', '\u{202e}']), "{seed:?}: {}", output.out);
    }
}

#[test]
fn check_qualifies_each_bot() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill("game = \"liars-dice\"", &["pirate"]));
    let bots = ["check", "liars-dice", "nobody", "hill.toml#A"];
    let output = scratch.run(&[&bots[..], &["--games", "20", "--seed", "s"]].concat());
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    let lines: Vec<_> = output.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", output.out);
    assert_eq!(lines[2], "2 of 2 bots qualified");
    assert!(lines[0].starts_with("nobody: qualified: 20 games, "), "{}", lines[0]);
    assert!(lines[1].starts_with("A: qualified: 20 games, "), "{}", lines[1]);
    let rules = ["check", "yahtzee", "random", "--rules", "mego-2016", "--games", "5"];
    scratch.run_ok(&rules);
}

#[test]
fn the_command_line_names_the_rules_of_a_run_without_a_hill_file() {
    let scratch = Scratch::new();
    let run = ["run", "yahtzee", "dummy", "random", "--games", "3", "--seed", "s", "--out", "a"];
    scratch.run_ok(&[&run[..], &["--rules", "mego-2016"]].concat());
    let log = std::fs::read_to_string(scratch.path("a")).expect("a log");
    let header: Value = serde_json::from_str(log.lines().next().expect("a header")).expect("JSON");
    assert_eq!(header["rules"], "mego-2016", "{header}");
    scratch.write("hill.toml", hill("game = \"yahtzee\"", &["dummy", "random"]));
    scratch.run_refused(
        &["run", "hill.toml", "--rules", "mego-2016"],
        &["--rules mego-2016: a hill file has its own rules; set them there"],
    );
    let other = ["run", "--rules", "mego-2016"];
    scratch.run_refused(&other, &["--rules mego-2016: those of liars-dice are"]);
}

#[test]
fn without_a_command_both_challenges_are_played() {
    let scratch = Scratch::new();
    let output = scratch.run_ok(&[]);
    assert!(output.err.starts_with("seed: "), "{}", output.err);
    let seed = output.err.trim_end().trim_start_matches("seed: ");
    assert_eq!(output.out, scratch.run(&["run", "--seed", seed]).out);
}

/// A bot that only repeats what it reads is disqualified before the run.
#[cfg(unix)]
#[test]
fn a_run_without_games_has_no_champion() {
    let scratch = Scratch::new();
    let keys = "game = \"yahtzee\"\ngames = 30\nseed = \"s\"\nopen_seed = true";
    scratch.write("hill.toml", hill(keys, &["random"]) + &bot("Echo", &["cat"]));
    let output = scratch.run(&["run", "hill.toml"]);
    assert_eq!(output.code, 3, "{}", output.err);
    assert!(
        output.out.contains("No game was played: only one bot is not barred"),
        "{}",
        output.out
    );
    assert!(!output.out.contains("Champion") && !output.err.contains("leads"), "{output:?}");
    let output = scratch.run(&["run", "hill.toml", "--format", "json"]);
    let document = output.json();
    assert_eq!((output.code, &document["champion"]), (3, &Value::Null));
    assert_eq!((&document["tied"], &document["champion_sure"]), (&json!([]), &Value::Null));
    let log = ["run", "hill.toml", "--out", "run.jsonl", "--until", "0.95"];
    assert_eq!(scratch.run(&log).code, 3);
    let board = scratch.run_ok(&["export", "run.jsonl", "--markdown"]).out;
    assert!(board.contains("No game was played: only one bot is not barred"), "{board}");
    assert!(!board.contains("Champion"), "{board}");
}

#[test]
fn workers_play_no_remote_bots() {
    let scratch = Scratch::new();
    let arguments =
        ["run", "yahtzee", "dummy", "remote:7:Mine", "--workers", "nats://127.0.0.1:4222"];
    let message = "--workers nats://127.0.0.1:4222: Mine is a remote bot, which only the server of its hill can reach; \
                   leave out --workers, or leave out Mine";
    scratch.run_refused(&arguments, &[message]);
}

#[cfg(not(feature = "workers"))]
#[test]
fn the_feature_with_workers_is_named() {
    let scratch = Scratch::new();
    for arguments in [
        &["run", "yahtzee", "--workers", "nats://127.0.0.1:4222"][..],
        &["work", "nats://127.0.0.1:4222"],
        &["workers", "nats://127.0.0.1:4222"],
    ] {
        scratch.run_refused(arguments, &["--features workers"]);
    }
}
