//! `analyze --save-positions` and `check --positions`: old mistakes as positions that a bot is asked in again.

use std::fs;

use serde_json::Value;

use crate::support::{Scratch, parse_json, project_path};

/// Plays a game with its house bots, and saves the mistakes of one.
fn saved(game: &str, bots: &[&str], mistaken: &str) -> (Scratch, Vec<Value>) {
    let scratch = Scratch::new();
    let run = [&["run", game][..], bots, &["--games", "3", "--seed", "s", "--out", "log"]].concat();
    scratch.run_ok(&run);
    let analyzed = scratch.run_ok(&[
        "analyze",
        "log",
        "--bot",
        mistaken,
        "--save-positions",
        "mistakes.jsonl",
    ]);
    let text = scratch.read("mistakes.jsonl");
    let positions: Vec<_> = text.lines().map(parse_json).collect();
    let count = format!("{} positions in mistakes.jsonl\n", positions.len());
    assert!(analyzed.err.ends_with(&count), "{}", analyzed.err);
    (scratch, positions)
}

#[test]
fn positions_are_as_the_schema_says_and_the_costliest_comes_first() {
    let schema = fs::read_to_string(project_path("protocol/schemas/position.json"));
    let schema = parse_json(&schema.expect("the schema is there"));
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (game, bots, mistaken) in [
        ("yahtzee", &["greedy", "dummy"][..], "dummy"),
        ("liars-dice", &["honest", "random", "nobody"], "random"),
    ] {
        let (_scratch, positions) = saved(game, bots, mistaken);
        assert!(positions.len() > 10, "{game}: {}", positions.len());
        for position in &positions {
            let errors: Vec<_> =
                validator.iter_errors(position).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}");
            assert_eq!((&position["game"], &position["bot"]), (&game.into(), &mistaken.into()));
        }
        let losses: Vec<_> = positions.iter().map(|one| one["loss"].as_f64()).collect();
        assert!(losses.is_sorted_by(|a, b| a >= b), "{losses:?}");
    }
}

#[test]
fn the_same_bot_makes_all_mistakes_again_and_an_optimal_one_none() {
    let (scratch, positions) = saved("yahtzee", &["greedy", "dummy"], "dummy");
    let count = positions.len();
    let same = scratch.run(&["check", "dummy", "--positions", "mistakes.jsonl"]);
    assert_eq!((same.code, same.err.as_str()), (3, ""), "{}", same.out);
    assert!(
        same.out.starts_with(&format!("dummy: 0 of {count} mistakes are gone; ")),
        "{}",
        same.out
    );
    assert!(same.out.contains(": still ") && same.out.contains("; best: "), "{}", same.out);
    assert!(same.out.contains(&format!("\n  and {} more\n", count - 10)), "{}", same.out);
    let best = scratch.run(&["check", "optimal", "--positions", "mistakes.jsonl"]);
    assert_eq!((best.code, best.err.as_str()), (0, ""), "{}", best.out);
    let all = format!("optimal: {count} of {count} mistakes are gone; ");
    assert!(best.out.starts_with(&all) && best.out.contains(", and now 0.00\n"), "{}", best.out);
    assert!(
        best.out
            .ends_with("  losses are in points against optimal play, which maximises the score\n")
    );
}

#[test]
fn mistakes_in_liars_dice_are_asked_again() {
    let (scratch, positions) = saved("liars-dice", &["honest", "random", "nobody"], "nobody");
    let count = positions.len();
    let same = scratch.run(&["check", "nobody", "--positions", "mistakes.jsonl"]);
    assert_eq!((same.code, same.err.as_str()), (3, ""), "{}", same.out);
    assert!(
        same.out.starts_with(&format!("nobody: 0 of {count} mistakes are gone; ")),
        "{}",
        same.out
    );
    assert!(same.out.contains("\n  losses are in dice, by the odds"), "{}", same.out);
}

#[test]
fn an_external_bot_is_asked_in_one_process_and_an_illegal_answer_is_left() {
    let (scratch, positions) = saved("yahtzee", &["greedy", "dummy"], "dummy");
    let source = "import json, sys\nfor line in sys.stdin:\n    turn = json.loads(line)\n    \
        if turn['type'] == 'turn':\n        \
        print(json.dumps({'id': turn['id'], 'category': 'NONE'}), flush=True)\n";
    scratch.write("wrong.py", source);
    // The file of positions names the game.
    let wrong = scratch.run(&["check", "./wrong.py", "--positions", "mistakes.jsonl"]);
    assert_eq!((wrong.code, wrong.err.as_str()), (3, ""), "{}", wrong.out);
    let none = format!("wrong: 0 of {} mistakes are gone; ", positions.len());
    assert!(
        wrong.out.starts_with(&none) && wrong.out.contains(", not legal; best: "),
        "{}",
        wrong.out
    );
}

#[test]
fn damaged_positions_are_refused_with_their_line() {
    let (scratch, positions) = saved("yahtzee", &["greedy", "dummy"], "dummy");
    let check = |change: &dyn Fn(&mut Value), message: &str| {
        let mut second = positions[1].clone();
        change(&mut second);
        scratch.write("damaged.jsonl", format!("{}\n{second}\n", positions[0]));
        let output = scratch.run(&["check", "dummy", "--positions", "damaged.jsonl"]);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{message}");
        let message = format!("damaged.jsonl:2: {message}");
        assert!(output.err.contains(&message), "{message}: {}", output.err);
    };
    check(&|one| one["schema"] = "dicehill.position/2".into(), "schema = \"dicehill.position/2\"");
    check(&|one| one["game"] = "liars-dice".into(), "game = \"liars-dice\": the bots play yahtzee");
    check(&|one| one["rules"] = "house".into(), "rules = \"house\": unknown");
    check(&|one| one["seed"] = "another".into(), "act");
    check(&|one| one["actions"] = Value::Array(Vec::new()), "actions: do not lead to the request");
    check(&|one| one["names"] = Value::Array(Vec::new()), "names: 0 seats");
    check(&|one| one["more"] = 1.into(), "unknown field `more`");
    scratch.write("empty.jsonl", "\n");
    let empty = scratch.run(&["check", "dummy", "--positions", "empty.jsonl"]);
    assert_eq!(empty.code, 2);
    assert!(empty.err.contains("empty.jsonl: holds no position"), "{}", empty.err);
    // Nothing is overwritten.
    let again = ["analyze", "log", "--bot", "dummy", "--save-positions", "mistakes.jsonl"];
    let again = scratch.run(&again);
    assert_eq!(again.code, 2, "{}", again.err);
    assert!(again.err.contains("mistakes.jsonl: already exists and is not empty"), "{}", again.err);
}
