//! `replay --failed`: the requests at which bots failed, sent again to a bot.

use serde_json::Value;

use crate::support::{Scratch, parse_json};

/// A bot for both games that fails where `failing` does not give the name of a legal category or bid.
fn write_bot(scratch: &Scratch, name: &str, answer: &str) {
    let source = format!(
        "import json, sys\nprint(json.dumps({{'type': 'ready', 'inflight': 1}}), flush=True)\nfor line in sys.stdin:\n    turn = json.loads(line)\n    if turn['type'] == 'turn':\n        \
         print('round', turn.get('round'), file=sys.stderr, flush=True)\n        \
         print(json.dumps({{'id': turn['id'], **({answer})}}), flush=True)\n"
    );
    scratch.write(name, source);
}

/// The request of a report in the output.
#[track_caller]
fn request(out: &str) -> Value {
    let line = out.lines().find_map(|line| line.strip_prefix("  request: "));
    parse_json(line.unwrap_or_else(|| panic!("a request: {out}")))
}

/// Plays Yahtzee with a bot that names a filled box in round 13, and mends it afterwards.
fn yahtzee_run() -> Scratch {
    let scratch = Scratch::new();
    let best = "max(sorted(turn['legal']), key=turn['legal'].get)";
    // The rare positions of the qualification have no round 9.
    let fails = format!("{{'category': {best} if turn['round'] != 9 else 'NONE'}}");
    write_bot(&scratch, "mine.py", &fails);
    let run = ["run", "yahtzee", "mine.py", "greedy", "dummy", "--games", "2", "--seed", "s"];
    let output = scratch.run(&[&run[..], &["--out", "log"]].concat());
    assert_eq!(output.code, 3, "{}{}", output.out, output.err);
    write_bot(&scratch, "mended.py", &format!("{{'category': {best}}}"));
    scratch
}

#[test]
fn a_bar_is_shown_with_its_request_and_log() {
    let scratch = yahtzee_run();
    let shown = scratch.run_ok(&["replay", "log", "--failed"]);
    assert!(
        shown.out.starts_with("mine barred in the qualification: illegal-move: "),
        "{}",
        shown.out
    );
    let request = request(&shown.out);
    assert_eq!((&request["type"], &request["round"]), (&Value::from("turn"), &Value::from(9)));
    assert!(shown.out.contains("NONE"), "{}", shown.out);
}

#[test]
fn a_request_is_sent_again() {
    let scratch = yahtzee_run();
    let again = scratch.run(&["replay", "log", "--failed", "--resend", "mine.py"]);
    assert_eq!(again.code, 3, "{}{}", again.out, again.err);
    assert!(again.out.contains("\n  sent again: illegal-move: "), "{}", again.out);
    assert!(again.out.contains("\n  its log: round 9\n"), "{}", again.out);
    let mended = scratch.run_ok(&["replay", "log", "--failed", "--resend", "mended.py"]);
    assert!(mended.out.contains(", which is legal\n"), "{}", mended.out);
    let house = scratch.run(&["replay", "log", "--failed", "--resend", "greedy"]);
    assert_eq!(house.code, 2);
    assert!(house.err.contains("a house bot gets no messages"), "{}", house.err);
}

#[test]
fn failures_in_games_that_count_are_grouped_with_the_request_of_the_first() {
    let scratch = Scratch::new();
    write_bot(&scratch, "mine.py", "{'bid': '1 1' if turn['bids'] else '1 2'}");
    let run = ["run", "liars-dice", "mine.py", "honest", "nobody", "--games", "6", "--seed", "s"];
    scratch.run_ok(&[&run[..], &["--out", "log"]].concat());
    let shown = scratch.run_ok(&["replay", "log", "--failed"]);
    assert!(shown.out.contains("mine failed "), "{}", shown.out);
    let note = "--resend BOT asks the bot again, and shows its log\n";
    assert!(shown.out.ends_with(note), "{}", shown.out);
    assert!(shown.out.contains(" in game "), "{}", shown.out);
    let request = request(&shown.out);
    let last = request["bids"].as_array().and_then(|bids| bids.last()).expect("a bid");
    let last = last.as_str().expect("a text").replace(' ', "×");
    let again = scratch.run(&["replay", "log", "--failed", "--resend", "mine.py"]);
    assert_eq!(again.code, 3, "{}{}", again.out, again.err);
    // The requests of Liar's Dice have no round.
    let round = "its log: round None\n";
    let why = format!("sent again: illegal-move: 1×1: it is not higher than {last}\n  {round}");
    assert!(again.out.contains(&why), "{}", again.out);
}

#[test]
fn a_well_formed_answer_against_the_rules_is_shown_with_the_log() {
    let scratch = Scratch::new();
    write_bot(&scratch, "mine.py", "{'category': 'ACES'}");
    let check = scratch.run(&["check", "yahtzee", "mine.py", "--seed", "s"]);
    assert_eq!(check.code, 3, "{}{}", check.out, check.err);
    assert!(check.out.contains("ACES: this category is already used"), "{}", check.out);
    assert!(check.out.contains("round "), "{}", check.out);
    let run = ["run", "yahtzee", "mine.py", "greedy", "dummy", "--games", "2", "--seed", "s"];
    let run = scratch.run(&[&run[..], &["--out", "log"]].concat());
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    let shown = scratch.run_ok(&["replay", "log", "--failed"]);
    let round = format!("  its log: round {}\n", request(&shown.out)["round"]);
    assert!(shown.out.contains("ACES: this category is already used"), "{}", shown.out);
    assert!(shown.out.ends_with(&round), "{}", shown.out);
}

#[test]
fn a_hill_without_failures_names_the_command_for_refused_bots() {
    let scratch = Scratch::new();
    scratch.run_ok(&["hill", "init", "hill.db", "yahtzee", "--games", "2"]);
    scratch.run_ok(&["hill", "add", "hill.db", "greedy", "dummy"]);
    scratch.run_ok(&["hill", "run", "hill.db"]);
    let shown = scratch.run_ok(&["replay", "hill.db", "--failed"]);
    assert!(shown.out.contains("no bot failed; ") && shown.out.contains("dicehill check BOT"));
}

#[test]
fn a_recorded_run_with_a_bar_names_the_command_that_shows_it() {
    let scratch = Scratch::new();
    write_bot(&scratch, "mine.py", "{'keep': [9]}");
    let run = ["run", "yahtzee", "mine.py", "greedy", "dummy", "--games", "2", "--seed", "s"];
    let hint = "to show what a barred bot was asked: dicehill replay log --failed\n";
    let recorded = scratch.run(&[&run[..], &["--out", "log"]].concat());
    assert_eq!((recorded.code, recorded.err.matches(hint).count()), (3, 1), "{}", recorded.err);
    assert!(scratch.run_ok(&["replay", "log", "--failed"]).out.contains("mine barred "));
    let unrecorded = scratch.run(&run);
    let hint = "asked: add --out FILE, and then: dicehill replay FILE --failed\n";
    assert!(unrecorded.code == 3 && unrecorded.err.ends_with(hint), "{}", unrecorded.err);
}

#[test]
fn a_run_without_failures_says_so() {
    let scratch = Scratch::new();
    scratch.run_ok(&[
        "run", "yahtzee", "greedy", "dummy", "--games", "2", "--seed", "s", "--out", "log",
    ]);
    assert_eq!(scratch.run_ok(&["replay", "log", "--failed"]).out, "no bot failed\n");
}
