//! Mistakes in the author's code, and stray prints.

use serde_json::json;

use crate::program::{hello, lines, ready, run, start, yahtzee_end, yahtzee_turn};

#[test]
fn prints_of_the_bot_and_of_its_child_processes_go_to_stderr() {
    let played = run(
        "stumbling",
        &["print"],
        &lines(&[hello("yahtzee", "game"), yahtzee_turn(1, 1), yahtzee_turn(2, 1)]),
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
    assert_eq!(
        played.answers(),
        [json!({"id": 1, "keep": [0]})],
        "what was answered before is sent"
    );
    assert_eq!(played.code, Some(1));
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

/// Checks the first line of stderr when a bot fails at one of these messages.
#[track_caller]
fn check(slip: &str, messages: &[serde_json::Value], complaint: &str) {
    let played = run("stumbling", &[slip], &lines(messages));
    assert_eq!(played.code, Some(1));
    let first = played.stderr.lines().find(|line| line.starts_with("dicehill: "));
    assert_eq!(first, Some(format!("dicehill: {complaint}").as_str()), "{}", played.stderr);
}

#[test]
fn a_panic_in_another_callback_is_reported_with_its_name() {
    check("start", &[start(3)], "game 3, start: slipped in start");
    check("end", &[start(3), yahtzee_end(3)], "game 3, end: slipped in end");
    let round = json!({"type": "round", "game": 3, "bids": [], "hands": [], "caller": 0, "bidder": 1, "held": true});
    check(
        "round",
        &[hello("liars-dice", "game"), start(3), round],
        "game 3, round: slipped in round",
    );
    check("", &[hello("pig", "game")], "hello: this program has no bot for \"pig\"");
}

#[test]
fn an_illegal_keep_or_category_panics_where_it_is_created() {
    check("index", &[yahtzee_turn(5, 4)], "game 4, request 5: keep index 5 is not 0-4");
    check("repeat", &[yahtzee_turn(5, 4)], "game 4, request 5: keep index 3 is repeated");
    check("category", &[yahtzee_turn(5, 4)], "game 4, request 5: category TWOS is not legal now");
}
