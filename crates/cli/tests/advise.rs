//! `advise`: what can be done in a position, by what it is worth.

use crate::support::{Ran, Scratch};
use serde_json::Value;

fn advise(arguments: &[&str]) -> Ran {
    Scratch::new().run(&[&["advise", "yahtzee"], arguments].concat())
}

#[track_caller]
fn document(arguments: &[&str]) -> Value {
    let Ran { code, out, err } = advise(&[arguments, &["--format", "json"]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&out).expect("a document")
}

#[track_caller]
fn refused(arguments: &[&str], message: &str) {
    let Ran { code, out, err } = advise(arguments);
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
    assert!(err.contains(message), "{message:?} is not in {err}");
}

#[test]
fn choices_are_ranked() {
    let document = document(&["--dice", "1,1,4,6,6"]);
    assert_eq!(document["schema"], "dicehill.advice/1");
    let choices = document["choices"].as_array().expect("choices");
    assert_eq!(choices.len(), 31);
    assert_eq!(choices[0]["kept"], serde_json::json!([6, 6]));
    assert_eq!(choices[0]["loss"], 0.0);
    let values: Vec<_> = choices.iter().map(|choice| choice["value"].as_f64()).collect();
    assert!(values.windows(2).all(|two| two[0] >= two[1]), "{values:?}");
}

#[test]
fn a_text_names_the_best_first() {
    let Ran { code, out, err } = advise(&["--dice", "11466", "--stage", "1"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let expected = "⚀1 ⚀1 ⚃4 ⚅6 ⚅6   one roll left\nofficial rules\nall boxes are free\n";
    assert!(out.starts_with(expected), "{out}");
    assert!(out.contains("\n 1  keep 6 6 "), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

#[test]
fn rules_differ() {
    let choices = |rules: &str| {
        let free = "FOURS,chance,large-straight";
        let position = ["--stage", "2", "--free", free, "--upper", "21", "--yahtzee", "50"];
        let named = ["--dice", "44444", "--rules", rules];
        document(&[&named[..], &position].concat())["choices"].as_array().map(Vec::len)
    };
    assert_eq!(
        ["official", "mego-2016", "free-joker", "plain"].map(choices),
        [1, 1, 3, 3].map(Some)
    );
}

#[test]
fn what_is_no_position_is_refused() {
    refused(&["--dice", "1146"], "--dice \"1146\": 4 dice, and five are rolled");
    refused(&["--dice", "1,1,4,6,7"], "'7' is no face: they are 1 to 6");
    refused(&["--dice", "11466", "--stage", "3"], "invalid value '3' for '--stage <N>'");
    refused(&["--dice", "11466", "--free", "ACES,FOO"], "--free: unknown category \"FOO\"");
    refused(&["--dice", "11466", "--free", ","], "names no box");
    refused(
        &["--dice", "11466", "--upper", "21"],
        "--upper 21: no dice add up to an upper total of 21",
    );
    refused(&["--dice", "11466", "--yahtzee", "50"], "--yahtzee: the Yahtzee box is free");
    refused(&["--dice", "11466", "--rules", "house"], "--rules \"house\"");
    refused(&["--dice", "11466", "--yahtzee", "40"], "invalid value '40'");
    refused(&[], "--dice");
    let ran = Scratch::new().run(&["advise", "liars-dice", "--dice", "11466"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, "error: liars-dice: advise knows Yahtzee\n"));
}
