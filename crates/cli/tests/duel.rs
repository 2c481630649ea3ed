//! `duel` and `run --until`: runs that stop as soon as the better bot is known.

use serde_json::Value;

use crate::support::{Scratch, hill};

#[track_caller]
fn document(scratch: &Scratch, arguments: &[&str]) -> Value {
    let output = scratch.run_ok(&[arguments, &["--format", "json"]].concat());
    output.json()
}

#[track_caller]
fn refused(scratch: &Scratch, arguments: &[&str], message: &str) {
    let output = scratch.run(arguments);
    assert_eq!(output.code, 2, "{arguments:?}: {}", output.out);
    assert!(output.err.contains(message), "{arguments:?}: {}", output.err);
}

#[test]
fn the_better_of_two_is_found_in_few_games() {
    let scratch = Scratch::new();
    let output = scratch.run_ok(&["duel", "dummy", "greedy", "--seed", "s"]);
    let sentence =
        "greedy is better than dummy, decided after 20 games at 99 %: greedy is ahead by";
    assert!(output.out.contains(sentence), "{}", output.out);
    let liars = document(&scratch, &["duel", "nobody", "badnomial", "--seed", "s"]);
    let (decided, champion) = (&liars["decided"], &liars["champion"]);
    assert_eq!((decided, champion), (&true.into(), &"badnomial".into()));
    assert_eq!((&liars["format"], &liars["seats"]), (&"duel".into(), &2.into()));
    assert_eq!((&liars["until"], &liars["games"]), (&0.99.into(), &100_000.into()));
    assert_eq!(liars["played"], liars["pairings"][0]["games"]);
    assert_eq!((&liars["lead"]["bot"], &liars["lead"]["over"]), (champion, &"nobody".into()));
    assert!(liars["lead"]["interval"][0].as_f64() > Some(0.0));
}

#[test]
fn the_result_is_the_same_on_any_number_of_threads() {
    let scratch = Scratch::new();
    let arguments = ["duel", "pirate", "straight-shooter", "--seed", "s", "--until", "0.95"];
    let one = document(&scratch, &[&arguments[..], &["--jobs", "1"]].concat());
    assert_eq!(document(&scratch, &[&arguments[..], &["--jobs", "5"]].concat()), one);
}

#[test]
fn higher_confidence_takes_more_games() {
    let scratch = Scratch::new();
    let games_played = |until: &str| {
        let duel = ["duel", "honest", "pirate", "--seed", "s", "--until", until];
        document(&scratch, &duel)["played"].as_u64()
    };
    assert!(
        games_played("0.6") < games_played("0.9") && games_played("0.9") < games_played("0.99999")
    );
}

#[test]
fn equal_bots_are_not_separated() {
    let scratch = Scratch::new();
    let arguments = ["duel", "dummy", "dummy", "--seed", "s", "--max-games", "301"];
    let output = scratch.run_ok(&arguments);
    assert!(output.out.contains("Not decided after 302 games at 99 %"), "{}", output.out);
    let why = "--max-games 301: games are played in blocks of two, at most 302 of them\n";
    assert!(output.err.contains(why), "{}", output.err);
    assert_eq!(document(&scratch, &arguments)["decided"], false);
}

#[test]
fn the_game_follows_from_the_bots_or_an_option() {
    let scratch = Scratch::new();
    scratch.write("liars.toml", hill("game = \"liars-dice\"", &["random", "nobody"]));
    let duel = ["duel", "random", "liars.toml#B", "--max-games", "2", "--seed", "s"];
    assert_eq!(document(&scratch, &duel)["game"], "liars-dice");
    let duel = ["duel", "random", "random", "--max-games", "2", "--game", "yahtzee"];
    assert_eq!(document(&scratch, &duel)["game"], "yahtzee");
    refused(&scratch, &["duel", "random", "random"], "add --game yahtzee or --game liars-dice");
    let message = "bayes plays liars-dice, and greedy yahtzee";
    refused(&scratch, &["duel", "greedy", "bayes"], message);
    refused(&scratch, &["duel", "random", "nobdy"], "\"nobdy\": no such house bot");
    let message = "this house bot plays liars-dice, not yahtzee";
    refused(&scratch, &["duel", "bayes", "pirate", "--game", "yahtzee"], message);
    refused(&scratch, &["duel", "greedy"], "2 values required");
    let duel = ["duel", "yahtzee", "random", "random", "--max-games", "2"];
    assert_eq!(document(&scratch, &duel)["game"], "yahtzee");
    refused(
        &scratch,
        &["duel", "yahtzee", "random"],
        "a duel is between two bots, not 1 bot: random",
    );
    let three = ["duel", "greedy", "dummy", "random"];
    refused(&scratch, &three, "a duel is between two bots, not 3 bots: greedy, dummy, random");
    let two_games = ["duel", "yahtzee", "random", "random", "--game", "liars-dice"];
    refused(&scratch, &two_games, "yahtzee and --game liars-dice: name one game");
}

#[test]
fn the_rules_of_the_original_controllers_can_be_chosen() {
    let scratch = Scratch::new();
    let duel = ["duel", "dummy", "greedy", "--rules", "mego-2016", "--seed", "s"];
    assert_eq!(document(&scratch, &duel)["rules"], "mego-2016");
    let message = "those of yahtzee are official and mego-2016";
    refused(&scratch, &["duel", "dummy", "greedy", "--rules", "x"], message);
}

#[test]
fn invalid_confidences_are_refused() {
    let scratch = Scratch::new();
    for until in ["1.5", "0.4", "nan", "-1", "1", "inf", "99%", ""] {
        let message = "must be a number above 0.5 and below 1, such as 0.99";
        refused(&scratch, &["duel", "dummy", "greedy", "--until", until], message);
        refused(&scratch, &["run", "yahtzee", "--until", until], message);
    }
    for games in ["0", "1", "-3", "x", "1000000001"] {
        refused(&scratch, &["duel", "dummy", "greedy", "--max-games", games], "--max-games");
    }
}

#[test]
fn a_run_ends_when_its_champion_is_decided() {
    let scratch = Scratch::new();
    let run = ["run", "--until", "0.95", "--games", "5000", "--seed", "s", "--format", "json"];
    let both = scratch.run(&run);
    let documents: Vec<Value> =
        both.out.lines().map(|line| serde_json::from_str(line).expect("a document")).collect();
    assert_eq!(documents.len(), 2);
    for document in &documents {
        assert_eq!(document["decided"], true);
        assert!(document["played"].as_u64() < document["games"].as_u64());
    }
    assert_eq!(documents[0]["champion"], "greedy");
    assert_eq!(documents[1]["champion"], "seer");
    scratch.write(
        "hill.toml",
        hill("game = \"yahtzee\"\nformat = \"gauntlet\"", &["greedy", "dummy"]),
    );
    let output = scratch.run(&["run", "hill.toml", "--until", "0.9", "--seed", "s"]);
    assert!(
        output
            .out
            .contains("B is significantly better or worse than each other bot, decided after"),
        "{}",
        output.out
    );
}

#[test]
fn the_log_records_the_confidence_and_can_be_replayed() {
    let scratch = Scratch::new();
    let duel = ["duel", "dummy", "greedy", "--seed", "s", "--out", "log"];
    let document = document(&scratch, &duel);
    let log = scratch.read("log");
    let header: Value = serde_json::from_str(log.lines().next().expect("a header")).expect("JSON");
    assert_eq!((&header["until"], &header["games"]), (&0.99.into(), &100_000.into()));
    let games = log.lines().filter(|line| line.starts_with("{\"type\":\"game\"")).count();
    assert_eq!(document["played"].as_u64(), Some(games as u64));
    scratch.run_ok(&["replay", "log", "17"]);
    scratch.run(&["run", "yahtzee", "dummy", "greedy", "--games", "3", "--out", "whole"]);
    let whole = scratch.read("whole");
    assert!(!whole.contains("until") && !whole.contains("decided"));
}

/// The answer, the question and whether it is decided.
fn margin_of(document: &Value) -> (Value, Value, Value) {
    (
        document["margin"]["answer"].clone(),
        document["margin"]["elo"].clone(),
        document["decided"].clone(),
    )
}

#[test]
fn a_duel_finds_out_whether_a_bot_is_not_worse() {
    let scratch = Scratch::new();
    let duel =
        ["duel", "greedy", "greedy", "--game", "yahtzee", "--not-worse-than", "100", "--seed", "s"];
    let equal = document(&scratch, &duel);
    assert_eq!(margin_of(&equal), ("not-worse".into(), 100.0.into(), true.into()));
    let out = scratch.run_ok(&duel).out;
    assert!(
        out.contains("greedy is not worse than greedy-2 by more than 100 Elo, decided after "),
        "{out}"
    );
    assert!(!out.contains("hampion"), "{out}");
    let worse = ["duel", "dummy", "greedy", "--not-worse-than", "5", "--seed", "s"];
    assert_eq!(margin_of(&document(&scratch, &worse)).0, "worse");
    assert!(
        scratch
            .run_ok(&worse)
            .out
            .contains("dummy is worse than greedy by more than 5 Elo, decided after ")
    );
    let open = [
        "duel",
        "greedy",
        "greedy",
        "--game",
        "yahtzee",
        "--not-worse-than",
        "5",
        "--max-games",
        "20",
        "--seed",
        "s",
    ];
    assert_eq!(margin_of(&document(&scratch, &open)), (Value::Null, 5.0.into(), false.into()));
    let out = scratch.run_ok(&open).out;
    let question = "Whether greedy is not worse than greedy-2 by more than 5 Elo is not decided after 20 games at 99 %";
    assert!(out.contains(question) && !out.contains("Champion"), "{out}");
    // Liar's Dice is won and lost too, whatever its points are.
    let liars = ["duel", "badnomial", "nobody", "--not-worse-than", "20", "--seed", "s"];
    assert_eq!(margin_of(&document(&scratch, &liars)).0, "not-worse");
}

#[test]
fn the_log_records_the_margin_and_verify_recomputes_its_answer() {
    let scratch = Scratch::new();
    let duel =
        ["duel", "greedy", "dummy", "--not-worse-than", "7.5", "--seed", "s", "--out", "log"];
    let found = document(&scratch, &duel);
    let log = scratch.read("log");
    let header: Value = serde_json::from_str(log.lines().next().expect("a header")).expect("JSON");
    assert_eq!((&header["not_worse_than"], &header["until"]), (&7.5.into(), &0.99.into()));
    scratch.run_ok(&["verify", "log"]);
    let shown = scratch.run_ok(&["resume", "log", "--format", "json"]).json();
    assert_eq!(shown["margin"], found["margin"]);
    let part: String = log.lines().take(8).map(|line| format!("{line}\n")).collect();
    scratch.write("part", part);
    let resumed = scratch.run_ok(&["resume", "part", "--format", "json"]).json();
    assert_eq!(resumed["margin"], found["margin"]);
    assert_eq!(scratch.read("part"), log);
    let altered = log.replacen("\"answer\":\"not-worse\"", "\"answer\":\"worse\"", 1);
    assert_ne!(altered, log);
    scratch.write("altered", altered);
    assert_eq!(scratch.run(&["verify", "altered"]).code, 1);
}

#[test]
fn invalid_margins_are_refused() {
    let scratch = Scratch::new();
    for margin in ["0", "-5", "401", "nan", "inf", "x", ""] {
        let message = "must be a number of Elo above 0 and at most 400, such as 5";
        refused(&scratch, &["duel", "dummy", "greedy", "--not-worse-than", margin], message);
    }
}

#[test]
fn an_undecided_duel_names_no_champion() {
    let scratch = Scratch::new();
    let duel = [
        "duel",
        "greedy",
        "aces-and-eights",
        "--max-games",
        "4",
        "--until",
        "0.9999",
        "--seed",
        "s",
    ];
    assert!(!document(&scratch, &duel)["champion"].is_null(), "one of them leads");
    for format in ["table", "markdown"] {
        let out = scratch.run_ok(&[&duel[..], &["--format", format]].concat()).out;
        assert!(out.contains("Not decided after 4 games") && !out.contains("Champion"), "{out}");
    }
}

#[test]
fn bots_with_memory_cannot_be_combined_with_an_early_end() {
    let scratch = Scratch::new();
    scratch.write("set.toml", hill("game = \"yahtzee\"\nmemory = \"set\"", &["dummy", "greedy"]));
    let message = "--until: memory = \"set\" cannot be combined with an early end";
    refused(&scratch, &["run", "set.toml", "--until", "0.9"], message);
}
