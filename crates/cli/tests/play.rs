//! `play`: a person at the terminal, here with everything typed beforehand.

use crate::support::{Ran, Scratch, hill};

/// Fills every box, the first that is free, until thirteen are filled.
const BOXES: [&str; 13] = [
    "aces",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "three_of",
    "four of",
    "full-house",
    "small",
    "large",
    "YAHTZEE",
    "c",
];

/// Plays with this input and expects nothing on stderr.
#[track_caller]
fn play(game: &str, input: &[&str]) -> String {
    let arguments = match game {
        "yahtzee" => &["play", "yahtzee", "--seed", "t", "--against", "dummy"][..],
        _ => &["play", "liars-dice", "--seed", "t", "--against", "pirate", "nobody"],
    };
    let lines: String = input.iter().map(|line| format!("{line}\n")).collect();
    let Ran { code, out, err } = Scratch::new().run_with_input(arguments, lines.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
    out
}

/// What is shown from the last time that the person is asked on.
fn last_position(out: &str) -> &str {
    let at = out.rfind("\n\n").expect("a position begins after an empty line");
    &out[at..]
}

/// Liar's Dice to the end: opens with the lowest bid, and calls every bidder.
fn calls() -> Vec<&'static str> {
    ["1 1", "liar"].repeat(100)
}

#[test]
fn yahtzee_to_the_end() {
    let out = play("yahtzee", &BOXES);
    for round in 1..=13 {
        assert!(out.contains(&format!("Round {round} of 13")), "{out}");
    }
    let results = out.split("\nScores\n").nth(1).expect("results");
    assert!(results.contains("\n  you ") || results.starts_with("  you "), "{results}");
    let (results, report) = results.split_once("\n\nYour decisions\n").expect("a report");
    assert_eq!(results.lines().count(), 2, "{results}");
    assert!(report.starts_with("  score ") && report.contains(" = 254.59 best play "), "{report}");
    assert_eq!(report.lines().count(), 5, "{report}");
}

#[test]
fn hints_are_given_when_asked_for() {
    let hint = "best, with the points to come:\n  ";
    let typed = play("yahtzee", &["hint", "keep 0", "chance"]);
    assert_eq!(typed.matches(hint).count(), 1, "{typed}");
    let scratch = Scratch::new();
    let input = b"keep 0\nchance\n";
    let ran = scratch.run_with_input(&["play", "yahtzee", "--seed", "t", "--hints"], input);
    assert_eq!((ran.code, ran.out.matches(hint).count()), (0, 3), "{}", ran.out);
    assert!(play("liars-dice", &["hint"]).contains("nobody has solved Liar's Dice"));
    let ran = scratch.run(&["play", "liars-dice", "--hints"]);
    assert_eq!(ran.err, "error: --hints: nobody has solved Liar's Dice\n");
    assert_eq!(ran.code, 2);
}

/// Who types the first hint each time loses nothing.
#[test]
fn the_first_hint_is_the_best() {
    let scratch = Scratch::new();
    let mut typed = String::new();
    let out = loop {
        let arguments = ["play", "yahtzee", "--seed", "t", "--against", "dummy", "--hints"];
        let ran = scratch.run_with_input(&arguments, typed.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        if ran.out.contains("\nScores\n") {
            break ran.out;
        }
        let (_, hints) = ran.out.rsplit_once("points to come:\n").expect("hints");
        let line = hints.lines().next().expect("a hint").trim_end();
        let (choice, _) = line.rsplit_once("  ").expect("a choice and its value");
        typed.push_str(&format!("{}\n", choice.trim()));
    };
    assert!(out.contains(" - 0.00 lost\n  0 of "), "{out}");
}

#[test]
fn liars_dice_to_the_end() {
    let out = play("liars-dice", &calls());
    assert!(out.contains("\nRound 1\n") && out.contains("\nRound 2\n"), "{out}");
    assert!(out.contains("\n  you: Liar! There "), "{out}");
    assert!(out.contains(" wins after ") || out.contains("you win after "), "{out}");
    assert!(!out.contains("you bids") && !out.contains("you gives"), "{out}");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    assert_eq!(play("yahtzee", &BOXES), play("yahtzee", &BOXES));
    assert_eq!(play("liars-dice", &calls()), play("liars-dice", &calls()));
}

#[test]
fn help_says_what_can_be_typed() {
    for (game, words) in
        [("yahtzee", ["keep 0 3 4", "FULL_HOUSE"]), ("liars-dice", ["4 2", "liar"])]
    {
        for help in ["help", "h", "?"] {
            let out = play(game, &[help]);
            for word in words.iter().chain(&["undo", "help", "quit"]) {
                assert!(out.contains(&format!("\n  {word} ")), "{word}: {out}");
            }
        }
    }
}

/// Expects a line to be refused with this message, and the game to go on as if it was not typed.
#[track_caller]
fn mistyped(game: &str, before: &[&str], line: &str, message: &str) {
    let out = play(game, &[before, &[line, "quit"]].concat());
    let expected = format!("> {line}\n{message}; type help for help\n> quit\n");
    assert!(out.contains(&expected), "{expected:?} is not in {out}");
}

#[test]
fn a_mistyped_line_of_yahtzee() {
    mistyped("yahtzee", &[], "roll", "\"roll\" is neither a free box nor a keep");
    mistyped("yahtzee", &[], "keep 5", "keep index 5 is not 0-4");
    mistyped("yahtzee", &[], "keep 0 0", "keep index 0 is repeated");
    mistyped("yahtzee", &[], "keep x", "'x' is no place: they are 0 to 4");
    mistyped("yahtzee", &[], "four", "\"four\" may be FOURS or FOUR_OF_A_KIND");
    mistyped("yahtzee", &["aces"], "aces", "category ACES is already used");
    let last = ["keep", "keep"];
    mistyped("yahtzee", &last, "keep 0", "nothing can be kept at stage 2: name a category");
}

#[test]
fn a_mistyped_line_of_liars_dice() {
    mistyped("liars-dice", &[], "two twos", "\"two twos\" is neither \"COUNT FACE\" nor \"Liar!\"");
    mistyped("liars-dice", &[], "2 7", "face 7 is not 1-6");
    mistyped("liars-dice", &[], "0 3", "count 0 is not 1-1000000");
    mistyped("liars-dice", &[], "-1 3", "count -1 is not 1-1000000");
}

#[test]
fn lines_that_are_no_text() {
    let scratch = Scratch::new();
    let input = b"\xff\xfe\n\x1b[2J\n\n   \n\0\nchance\n";
    let ran = scratch.run_with_input(&["play", "yahtzee", "--seed", "t"], input);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("Round 2 of 13"), "{}", ran.out);
    let strange = |c: char| c.is_control() && c != '\n';
    assert!(!ran.out.contains(strange), "{:?}", ran.out);
}

#[test]
fn a_box_by_its_beginning_is_the_one_that_is_free() {
    let out = play("yahtzee", &["fours", "four", "four"]);
    assert!(out.contains("FOUR_OF_A_KIND") && out.contains("Round 3 of 13"), "{out}");
    assert!(out.contains("\"four\" is neither a free box nor a keep"), "{out}");
}

/// Expects `line` typed after `before` to lead where it leads when it has been taken back.
#[track_caller]
fn taken_back(game: &str, before: &[&str], line: &str, others: &[&str]) {
    let plain = play(game, &[before, &[line]].concat());
    for other in others.iter().chain(&[line]) {
        let undone = play(game, &[before, &[other, "undo", line]].concat());
        assert!(undone.contains("Your last move is taken back.\n"), "{undone}");
        assert_eq!(last_position(&undone), last_position(&plain), "{other} undone, then {line}");
    }
    let position = play(game, before);
    let undone = play(game, &[before, &[line, "undo"]].concat());
    assert_eq!(last_position(&undone), last_position(&position), "{line} undone");
}

#[test]
fn a_move_is_taken_back() {
    taken_back("yahtzee", &[], "keep 0 1", &["keep", "chance", "keep 3"]);
    taken_back("yahtzee", &["keep 0", "keep 1"], "aces", &["chance"]);
    taken_back("yahtzee", &BOXES[..12], "keep 2", &["keep 4 3"]);
    taken_back("liars-dice", &["1 1"], "liar", &["9 6"]);
    taken_back("liars-dice", &["1 1", "liar"], "liar", &["9 6"]);
}

#[test]
fn all_moves_are_taken_back() {
    for (game, moves) in
        [("yahtzee", ["keep 0", "aces", "keep"]), ("liars-dice", ["1 1", "9 6", "liar"])]
    {
        let undone = play(game, &[&moves[..], &["undo"; 3]].concat());
        assert_eq!(last_position(&undone), last_position(&play(game, &[])), "{game}");
        assert!(play(game, &["undo"]).contains("You have not moved yet.\n"), "{game}");
    }
}

#[test]
fn the_game_can_be_left() {
    for game in ["yahtzee", "liars-dice"] {
        for quit in ["quit", "q", " QUIT "] {
            let out = play(game, &[quit, "help"]);
            assert!(
                out.ends_with(&format!("> {}\nYou have left the game.\n", quit.trim_end())),
                "{out}"
            );
        }
        assert!(play(game, &[]).ends_with("> \nYou have left the game.\n"));
    }
}

#[test]
fn a_last_line_without_an_end_counts() {
    let ran = Scratch::new().run_with_input(&["play", "yahtzee", "--seed", "t"], b"chance");
    assert!(ran.out.contains("Round 2 of 13"), "{}", ran.out);
}

#[test]
fn a_seed_that_was_drawn_is_told() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["play", "liars-dice"]);
    let seed = ran.out.lines().next().and_then(|line| line.split_once("seed ")).expect("a seed").1;
    assert_eq!(scratch.run(&["play", "liars-dice", "--seed", seed]), ran);
}

#[test]
fn opponents_come_from_a_hill_file() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill("game = \"liars-dice\"", &["pirate"]));
    let ran = scratch.run(&["play", "liars-dice", "--against", "hill.toml#A", "hill.toml#A"]);
    assert_eq!(ran.code, 0);
    let names = ran.out.lines().nth(1).and_then(|line| line.split_once(" at the table"));
    let mut names: Vec<_> = names.expect("a line of names").0.split(", ").collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "A-2", "you"]);
}

#[test]
fn the_other_rules_can_be_chosen() {
    for (game, rules) in [("yahtzee", "mego-2016"), ("liars-dice", "superjedi-2015")] {
        let ran = Scratch::new().run(&["play", game, "--rules", rules]);
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains(&format!("  {rules} rules, seed ")), "{}", ran.out);
    }
}
