//! Mistakes in the author's code, and stray prints.

use serde_json::json;

use crate::program::{hello, lines, ready, run, yahtzee_turn};

#[test]
fn prints_of_the_bot_and_of_its_child_processes_go_to_stderr() {
    let played = run(
        "stumbling",
        &["print"],
        &lines(&[hello("yahtzee"), yahtzee_turn(1, 1), yahtzee_turn(2, 1)]),
    );
    let none = |id| json!({"id": id, "keep": []});
    assert_eq!(played.answers(), [ready(), none(1), none(2)]);
    assert_eq!(played.stderr, "one\ntwo 1\nchild\none\ntwo 2\nchild\n");
    assert_eq!(played.code, Some(0));
}

#[test]
fn a_panic_is_reported_with_game_request_and_the_authors_frames() {
    let played = run(
        "stumbling",
        &[],
        &lines(&[yahtzee_turn(1, 7), yahtzee_turn(2, 7), yahtzee_turn(3, 7)]),
    );
    let answers = played.answers();
    let kept = |id| json!({"id": id, "keep": [0]});
    assert_eq!((&answers[0], &answers[2]), (&kept(1), &kept(3)), "the other requests are answered");
    let error = answers[1]["error"].as_str().expect("a text");
    assert!(error.starts_with("no such die: 5 at "), "{error}");
    assert!(error.contains("stumbling.rs:"), "{error}");
    assert_eq!(played.code, Some(0));
    let report: Vec<_> = played.stderr.lines().collect();
    assert_eq!(report[0], "dicehill: game 7, request 2: no such die: 5");
    assert!(
        report[1].starts_with("panicked at ") && report[1].contains("stumbling.rs:"),
        "{report:?}"
    );
    let frames: Vec<_> =
        report[2..].iter().filter(|line| !line.trim_start().starts_with("at ")).collect();
    assert!(frames[0].contains("decide_badly"), "{report:?}");
    assert!(frames.len() <= 6 && frames[1].contains("turn"), "{report:?}");
}

/// Checks the first line of stderr when a bot fails at one of these messages; only in a turn it goes on.
#[track_caller]
fn check(slip: &str, messages: &[serde_json::Value], complaint: &str) {
    let played = run("stumbling", &[slip], &lines(messages));
    let is_in_turn = complaint.contains("request");
    assert_eq!(played.code, Some(i32::from(!is_in_turn)));
    let first = played.stderr.lines().find(|line| line.starts_with("dicehill: "));
    assert_eq!(first, Some(format!("dicehill: {complaint}").as_str()), "{}", played.stderr);
}

#[test]
fn a_game_that_the_sdk_does_not_know_is_named() {
    check("", &[hello("pig")], "hello: this program has no bot for \"pig\"");
}

#[test]
fn an_illegal_keep_or_category_panics_where_it_is_created() {
    check("index", &[yahtzee_turn(5, 4)], "game 4, request 5: keep index 5 is not 0-4");
    check("repeat", &[yahtzee_turn(5, 4)], "game 4, request 5: keep index 3 is repeated");
    check("category", &[yahtzee_turn(5, 4)], "game 4, request 5: category TWOS is not legal now");
}
