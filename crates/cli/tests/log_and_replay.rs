//! Run logs: the same bytes for any number of threads, and their replays.

use crate::support::{CommandOutput, Scratch, hill};
use serde_json::Value;

const YAHTZEE: [&str; 3] = ["aces-and-eights", "dummy", "random"];
const LIARS_DICE: [&str; 4] = ["badnomial", "nobody", "pirate", "random"];

/// A folder with the log of three games of a challenge in `log`.
fn folder_with_log(game: &str, house: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "hill.toml",
        hill(&format!("game = \"{game}\"\ngames = 3\nseed = \"s\"\nopen_seed = true"), house),
    );
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    scratch
}

/// Plays the hill on several numbers of threads and expects the same log, which ends with the output of `--format
/// json`.
#[track_caller]
fn check_same_log(keys: &str, house: &[&str]) {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill(keys, house));
    let mut logs = Vec::new();
    for (log, jobs) in [("a", "1"), ("b", "2"), ("c", "8"), ("d", "1")] {
        let arguments = ["run", "hill.toml", "--jobs", jobs, "--format", "json", "--out", log];
        let CommandOutput { code, out, err } = scratch.run(&arguments);
        assert_eq!((code, err.as_str()), (0, ""), "{keys}");
        assert_eq!(scratch.read(log).lines().last(), Some(out.trim_end()), "{keys}");
        logs.push(scratch.read(log));
    }
    assert!(logs.iter().all(|log| *log == logs[0]), "{keys}: the logs differ");
}

#[test]
fn a_log_does_not_depend_on_the_number_of_threads() {
    let games = [("yahtzee", &YAHTZEE[..]), ("liars-dice", &LIARS_DICE[..])];
    let formats = [
        "format = \"challenge\"",
        "memory = \"set\"",
        "format = \"duel\"",
        "format = \"duel\"\nseats = 3",
        "format = \"gauntlet\"\nchallenger = \"B\"",
    ];
    for (game, house) in games {
        for format in formats {
            check_same_log(
                &format!(
                    "game = \"{game}\"\ngames = 150\nseed = \"s\"\nopen_seed = true\n{format}"
                ),
                house,
            );
        }
    }
}

#[test]
fn a_log_has_a_header_numbered_games_a_seal_and_a_result() {
    let scratch = folder_with_log("yahtzee", &YAHTZEE);
    let log = scratch.read("log");
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let [header, games @ .., seal, result] = lines.as_slice() else { panic!("{log}") };
    assert_eq!((&header["type"], &header["schema"]), (&"header".into(), &"dicehill.log/1".into()));
    assert_eq!((&header["seed"], &header["name"]), (&"s".into(), &"hill".into()));
    let numbers: Vec<_> = games.iter().map(|game| game["game"].as_u64()).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3)]);
    assert_eq!(seal["type"], "sealed");
    assert_eq!(result["schema"], "dicehill.result/1");
    assert!(log.ends_with('\n'));
}

#[test]
fn a_log_can_be_written_into_an_empty_file() {
    let scratch = folder_with_log("yahtzee", &YAHTZEE);
    scratch.write("empty", "");
    scratch.run_ok(&["run", "hill.toml", "--out", "empty"]);
    assert_eq!(scratch.read("empty"), scratch.read("log"));
}

/// Expects both formats of a replay to show game 2, also from a saved game.
#[track_caller]
fn check_replay(game: &str, house: &[&str], words: &[&str]) {
    let scratch = folder_with_log(game, house);
    let text = scratch.run(&["replay", "log", "2"]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    for word in words {
        assert!(text.out.contains(word), "{word:?} is not in {}", text.out);
    }
    let json = scratch.run(&["replay", "log", "2", "--format", "json"]);
    let document = json.json();
    assert_eq!(document["schema"], "dicehill.replay/1");
    assert_eq!((&document["game"], &document["number"]), (&game.into(), &2.into()));
    assert!(document["moves"].as_array().is_some_and(|moves| moves.len() > 5));

    let CommandOutput { code, out, err } = scratch.run(&["replay", "log", "2", "--save", "game"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", "game 2 is in game\n"));
    assert_eq!(scratch.read("game").lines().count(), 2);
    for arguments in [&["replay", "game"][..], &["replay", "game", "2"]] {
        assert_eq!(scratch.run(arguments), text);
        assert_eq!(scratch.run(&[arguments, &["--format", "json"]].concat()), json);
    }
}

#[test]
fn yahtzee_is_shown_move_by_move() {
    let words = ["Yahtzee, game 2  official rules, table 2, seed s", "Round 13", "keeps", "Scores"];
    check_replay("yahtzee", &YAHTZEE, &words);
}

#[test]
fn liars_dice_is_shown_move_by_move() {
    let words = [
        "Liar's Dice, game 2",
        "Round 1\n",
        "bids",
        "Liar! There",
        " % by the caller's dice)\n",
        " wins after ",
    ];
    check_replay("liars-dice", &LIARS_DICE, &words);
}

#[test]
fn a_log_without_a_result_is_replayed() {
    let scratch = folder_with_log("yahtzee", &YAHTZEE);
    let log = scratch.read("log");
    let last = log.trim_end().rfind('\n').expect("several lines") + 1;
    scratch.write("interrupted", &log[..last]);
    assert_eq!(scratch.run(&["replay", "interrupted", "3"]), scratch.run(&["replay", "log", "3"]));
}

/// Expects `replay` to refuse the log that `change` makes of a good one as unusable.
#[track_caller]
fn refused(change: impl Fn(&str) -> String, game: &str, part: &str) {
    refused_with_code(2, change, game, part);
}

/// Expects the same refusal for altered records.
#[track_caller]
fn refused_as_altered(change: impl Fn(&str) -> String, game: &str, part: &str) {
    refused_with_code(1, change, game, part);
}

#[track_caller]
fn refused_with_code(expected: i32, change: impl Fn(&str) -> String, game: &str, part: &str) {
    let scratch = folder_with_log("yahtzee", &YAHTZEE);
    let good = scratch.read("log");
    let bad = change(&good);
    assert_ne!(good, bad, "nothing was changed");
    scratch.write("bad", bad);
    let arguments = ["replay", "bad", game, "--save", "game"];
    for arguments in [&arguments[..3], &arguments[..]] {
        let CommandOutput { code, out, err } = scratch.run(arguments);
        assert_eq!((code, out.as_str()), (expected, ""), "{err}");
        assert!(err.starts_with("error: bad") && err.contains(part), "{part:?} is not in {err}");
        assert!(!err.trim_end().contains(char::is_control), "{err:?}");
    }
    assert!(!scratch.path("game").exists());
}

/// The log with `from` replaced once in the line of this number, from 1.
fn altered(log: &str, number: usize, from: &str, to: &str) -> String {
    let alter = |(index, line): (usize, &str)| {
        if index + 1 == number { line.replacen(from, to, 1) } else { line.to_owned() }
    };
    log.lines().enumerate().map(|line| alter(line) + "\n").collect()
}

#[test]
fn an_altered_log_is_refused() {
    let change = |number, from: &'static str, to: &'static str| {
        move |log: &str| altered(log, number, from, to)
    };
    refused_as_altered(change(3, "CHANCE", "ACES"), "2", "bad:3: move ");
    refused_as_altered(change(3, "CHANCE", "CHANGE"), "2", "CHANGE");
    refused_as_altered(
        change(3, "\"score\":", "\"score\":1"),
        "2",
        "bad:3: seat 1 is recorded with score = 1",
    );
    refused_as_altered(
        change(3, "\"won\":false", "\"won\":true"),
        "2",
        "is recorded with won = true",
    );
    refused_as_altered(change(3, "\"table\":2", "\"table\":9"), "2", "bad:3: ");
    refused_as_altered(change(1, "\"seed\":\"s\"", "\"seed\":\"t\""), "2", "bad:3: ");
    refused_as_altered(
        change(3, "\"results\":", "\"outcome\":"),
        "2",
        "bad:3: missing field `results`",
    );
    refused_as_altered(
        change(3, "\"A\"", "\"Z\""),
        "2",
        "bad:3: bot \"Z\" plays, but the header does not",
    );
    refused_as_altered(
        change(3, "\"A\"", "\"\\u001b[2J\""),
        "2",
        "bad:3: bot \"\\u{1b}[2J\" plays",
    );
    refused(change(1, "official", "house"), "2", "bad:1: rules = \"house\"");
    refused(change(1, "\"yahtzee\"", "\"chess\""), "2", "bad:1: unknown game \"chess\"");
    refused(change(1, "dicehill.log/1", "dicehill.log/9"), "2", "bad:1: not a run log");
    refused(change(1, "\"name\":\"A\"", "\"name\":\"\\u202e\""), "2", "bad:1: bot name");
}

#[test]
fn a_damaged_log_is_refused() {
    refused(
        |log| log[..log.len() - 1].to_owned(),
        "2",
        "bad:6: the log is truncated: this line breaks off, and the 5 lines before it are complete; `dicehill resume bad`",
    );
    refused(|log| log[..log.len() / 2].to_owned(), "2", "this line breaks off");
    refused(|_| String::new(), "1", "bad: is empty");
    refused(|_| "\n".into(), "1", "bad:1: not a run log of dicehill");
    refused(
        |_| "hello\n".into(),
        "1",
        "bad:1: not a run log of dicehill: its first line is not a JSON object",
    );
    refused(
        |log| log.replace("{\"type\":\"game\"", "{\"type\":\"song\""),
        "2",
        "bad:2: not a line",
    );
    refused(|log| log.replacen("{\"type\":\"game\"", "{{", 1), "2", "bad:2: not a line");
    refused(|log| format!("{log}more\n"), "2", "bad:7: not a line of a run log");
}

#[test]
fn a_game_that_is_not_in_the_log_is_refused() {
    let game = "{\"type\":\"game\",\"game\":7}\n";
    let add = |log: &str| {
        let seal = log.rfind("{\"type\":\"sealed\"").expect("a seal");
        format!("{}{game}{}", &log[..seal], &log[seal..])
    };
    refused(add, "9", "bad: has no game 9: it has 4 games");
    refused_as_altered(add, "7", "bad:5: missing field");
    refused_as_altered(|log| format!("{log}{game}"), "7", "bad:7: follows the result");
    let scratch = folder_with_log("yahtzee", &YAHTZEE);
    let output = scratch.run(&["replay", "log"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    assert_eq!(output.err, "error: log: has 3 games: pass the number of one\n");
    scratch.write("none", scratch.read("log").lines().next().expect("a header").to_owned() + "\n");
    assert_eq!(scratch.run(&["replay", "none"]).err, "error: none: has no game\n");
    scratch.run_ok(&["replay", "log", "3", "--save", "third"]);
    let output = scratch.run(&["replay", "third", "1"]);
    assert_eq!(output.err, "error: third: has no game 1: its only game is game 3\n");
    let lone = "third: has only game 3 of its run; `dicehill replay` shows it";
    scratch.run_refused(&["resume", "third"], &[lone]);
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee"]);
    scratch.run_refused(&["hill", "import", "h.db", "third"], &[lone]);
    scratch.write("windows", scratch.read("log").replace('\n', "\r\n"));
    for command in ["replay", "verify", "resume"] {
        let output = scratch.run(&[command, "windows"]);
        assert_eq!((output.code, output.out.as_str()), (2, ""));
        assert!(output.err.contains("windows:1: the lines end in CR LF"), "{}", output.err);
    }
    assert_eq!(scratch.run(&["replay", "gone", "1"]).code, 2);
    assert!(scratch.run(&["replay", ".", "1"]).err.contains(".: is a folder"));
    assert!(scratch.run(&["replay", "hill.toml", "1"]).err.contains("hill.toml:1: not a run log"));
}

#[test]
fn a_game_is_not_saved_over_a_file() {
    let scratch = folder_with_log("liars-dice", &LIARS_DICE);
    let before = scratch.read("log");
    for (file, why) in [
        ("log", "log: is the run itself: choose another file"),
        ("./log", "./log: is the run itself: choose another file"),
        ("hill.toml", "hill.toml: exists already, with "),
    ] {
        let output = scratch.run(&["replay", "log", "1", "--save", file]);
        assert_eq!((output.code, output.out.as_str()), (2, ""));
        assert!(output.err.contains(why), "{}", output.err);
    }
    assert_eq!(scratch.read("log"), before);
    assert_eq!(scratch.run(&["replay", "log", "1", "--save", "no/file"]).code, 2);
}
