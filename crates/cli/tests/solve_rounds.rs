//! `solve liars-dice`: rounds between two, their files, and the match.

use std::fs;

use serde_json::Value;

use crate::support::{CommandOutput, Scratch, number};

/// The output of the command.
#[track_caller]
fn solved(scratch: &Scratch, arguments: &[&str]) -> CommandOutput {
    let output = scratch.run_ok(&[&["solve", "liars-dice", "--time", "600"], arguments].concat());
    assert!(!output.out.contains('\u{1b}'), "{}", output.out);
    output
}

#[test]
fn one_die_each_has_the_known_value() {
    let arguments = ["--iterations", "600", "--format", "json"];
    let output = solved(&Scratch::new(), &arguments);
    let document = output.json();
    assert_eq!(document["schema"], "dicehill.round/1");
    let value = &document["value"];
    let (lower, upper) = (number(&value["lower"]), number(&value["upper"]));
    assert!(lower <= -0.021_407 && -0.021_408 <= upper && upper - lower < 2e-3, "{value}");
    assert_eq!(document["first_bids"].as_array().map(Vec::len), Some(6));
    assert_eq!(document["iterations"], 600);
    assert!(output.err.contains(" iterations  -0.02"), "progress: {}", output.err);
}

#[test]
fn the_report_has_first_bids_and_answers() {
    let out = solved(&Scratch::new(), &["--dice", "1,2", "--bids", "4", "--iterations", "20"]).out;
    for words in [
        "A round of Liar's Dice, 1 against 2 dice\n",
        "\n  starter: ",
        "\n  responder: ",
        "\nFirst bids\n  hand               bids, with their probabilities\n  1 ",
        "\nAnswers to ",
    ] {
        assert!(out.contains(words), "{words:?} is not in {out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
}

#[test]
fn strategies_do_not_depend_on_threads_or_interruptions() {
    let files = ["starter.strategy", "responder.strategy", "1.learning", "2.learning"];
    let read = |scratch: &Scratch, file: &str| {
        fs::read(scratch.path(&format!("kept/liars-dice-2-1-{file}"))).expect("a file")
    };
    let options = ["--dice", "2,1", "--bids", "4", "--keep", "kept"];
    let uninterrupted = Scratch::new();
    solved(&uninterrupted, &[&options[..], &["--iterations", "36", "--jobs", "1"]].concat());
    let continued = Scratch::new();
    solved(&continued, &[&options[..], &["--iterations", "24", "--jobs", "3"]].concat());
    solved(&continued, &[&options[..], &["--iterations", "36", "--jobs", "2"]].concat());
    for file in files {
        assert!(read(&uninterrupted, file) == read(&continued, file), "{file}");
    }
}

#[test]
fn damaged_files_are_reported_and_recomputed() {
    let scratch = Scratch::new();
    let arguments = ["--keep", "kept", "--iterations", "20"];
    let first = solved(&scratch, &arguments);
    for file in ["starter.strategy", "1.learning"] {
        let path = scratch.path(&format!("kept/liars-dice-1-1-{file}"));
        let original = fs::read(&path).expect("a file");
        let mut bytes = original.clone();
        bytes[200] ^= 1;
        fs::write(&path, bytes).expect("it can be written");
        let repeated = solved(&scratch, &arguments);
        assert!(
            repeated.err.contains(file) && repeated.err.contains("recomputing it"),
            "{}",
            repeated.err
        );
        assert_eq!(fs::read(&path).expect("a file"), original, "{file}");
        assert_eq!(repeated.out.lines().nth(1), first.out.lines().nth(1));
    }
}

#[test]
fn a_match_has_bounds() {
    let arguments = ["--match", "--bids", "2", "--iterations", "1", "--format", "json"];
    let document: Value =
        serde_json::from_str(&solved(&Scratch::new(), &arguments).out).expect("a document");
    let states = document["states"].as_array().expect("states");
    assert_eq!((document["schema"].as_str(), states.len()), (Some("dicehill.match/1"), 9));
    for state in states {
        let (least, most) = (number(&state["match_chance"][0]), number(&state["match_chance"][1]));
        assert!(0.0 <= least && least < most && most <= 1.0, "{state}");
    }
}

#[test]
fn impossible_rounds_are_refused() {
    for (arguments, words) in [
        (&["--dice", "0,3"][..], "a player with 0 dice"),
        (&["--dice", "6,5"], "11 dice on the table"),
        (&["--dice", "2"], "invalid value '2' for '--dice <A,B>': must be two numbers"),
        (&["--time", "0"], "invalid value '0' for '--time <SECONDS>'"),
        (&["--memory", "-1"], "invalid value '-1' for '--memory <GIB>'"),
        (&["--bids", "1"], "a limit of 1 bids"),
        (&["--dice", "5,5", "--bids", "30"], "are allowed"),
        (&["--match", "--dice", "1,1"], "cannot be used with"),
    ] {
        let output = Scratch::new().run(&[&["solve", "liars-dice"], arguments].concat());
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?}: {}", output.err);
        assert!(output.err.contains(words), "{arguments:?}: {}", output.err);
    }
}
