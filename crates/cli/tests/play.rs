//! `play`: a person at the terminal, with scripted input.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::support::{CommandOutput, Scratch, hill};

/// One input for each box, so that a game is played to its end.
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
    let CommandOutput { code, out, err } =
        Scratch::new().run_with_input(arguments, lines.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
    out
}

/// The output from the last prompt on.
fn last_position(out: &str) -> &str {
    let at = out.rfind("\n\n").expect("a position begins after an empty line");
    &out[at..]
}

/// Liar's Dice to the end: opens with the lowest bid, and calls every other bid.
fn calls() -> Vec<&'static str> {
    ["1x1", "liar"].repeat(100)
}

#[test]
fn yahtzee_can_be_played_to_the_end() {
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
fn hints_are_given_on_request() {
    let hint = "best choices, with the expected points still to come:\n  ";
    let typed = play("yahtzee", &["hint", "roll", "chance"]);
    assert_eq!(typed.matches(hint).count(), 1, "{typed}");
    let scratch = Scratch::new();
    let input = b"roll\nchance\n";
    let output = scratch.run_with_input(&["play", "yahtzee", "--seed", "t", "--hints"], input);
    assert_eq!((output.code, output.out.matches(hint).count()), (0, 3), "{}", output.out);
    let hint = "chance to be right, if the hidden dice are fair:\n  ";
    let typed = play("liars-dice", &["hint", "1x2"]);
    assert_eq!(typed.matches(hint).count(), 1, "{typed}");
    let output = scratch.run_with_input(&["play", "liars-dice", "--hints"], b"");
    assert_eq!((output.code, output.out.matches(hint).count()), (0, 1), "{}", output.out);
}

/// A player who always takes the first hint has no loss.
#[test]
fn the_first_hint_is_the_best() {
    let scratch = Scratch::new();
    let arguments = ["play", "yahtzee", "--seed", "t", "--against", "dummy", "--hints"];
    let mut game = scratch.command(&arguments);
    let mut game =
        game.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
    let mut input = game.stdin.take().expect("it is piped");
    let mut out = String::new();
    let mut is_best = false;
    for line in BufReader::new(game.stdout.take().expect("it is piped")).lines() {
        let line = line.expect("its output is text");
        if is_best {
            let (choice, _) = line.trim_end().rsplit_once("  ").expect("a choice and its value");
            writeln!(input, "{}", choice.trim()).expect("it reads");
        }
        is_best = line.ends_with("points still to come:");
        out.push_str(&format!("{line}\n"));
    }
    assert!(game.wait().expect("it ends").success(), "{out}");
    assert!(out.contains(" - 0.00 loss\n  0 of "), "{out}");
}

#[test]
fn faces_are_kept() {
    for typed in ["keep 5 1 5", "keep 155", "5,1,5", "KEEP 1,5 5"] {
        let out = play("yahtzee", &[typed]);
        assert!(out.contains("  ⚀1 ⚄5 ⚄5 ⚀1 ⚄5   two rolls left"), "{out}");
        let position = last_position(&out);
        let kept = position.lines().find(|line| line.ends_with("one roll left")).expect("dice");
        assert_eq!(kept.matches("⚄5").count().min(2) + kept.matches("⚀1").count().min(1), 3);
        assert_eq!(position, last_position(&play("yahtzee", &["keep 1 5 5"])), "{typed}");
    }
    for typed in ["roll", "keep nothing", "roll all five"] {
        assert_eq!(
            last_position(&play("yahtzee", &[typed])),
            last_position(&play("yahtzee", &["roll all"]))
        );
    }
}

/// A player who always does what the coach would do loses nothing by the odds.
#[test]
fn the_choice_of_the_coach_is_marked() {
    let scratch = Scratch::new();
    let mut typed = String::new();
    let out = loop {
        let arguments = ["play", "liars-dice", "--seed", "t", "--against", "pirate", "--hints"];
        let output = scratch.run_with_input(&arguments, typed.as_bytes());
        assert_eq!((output.code, output.err.as_str()), (0, ""));
        if output.out.contains("\nYour decisions\n") {
            break output.out;
        }
        let (_, hint) = output.out.rsplit_once("are fair:\n").expect("a hint");
        let best: Vec<_> =
            hint.lines().filter(|line| line.ends_with("the coach's choice")).collect();
        let [best] = best.as_slice() else { panic!("{hint}") };
        typed.push_str(&format!("{}\n", best.split_whitespace().next().expect("an action")));
    };
    assert!(out.contains("\nYour decisions\n  0 of "), "{out}");
    assert!(out.ends_with(" lost 0.00 dice by the odds\n"), "{out}");
}

#[test]
fn bids_are_written_in_one_notation() {
    let out = play("liars-dice", &["bid 2*3", "4x4"]);
    assert!(out.contains("\n  you bid two threes\n"), "{out}");
    assert!(out.contains("  bid above 5×5 (five fives), or liar\n"), "{out}");
    assert!(out.contains("\n4×4 is not higher than 5×5 (type help for help)\n"), "{out}");
    let same = ["2×3", "2x3", "2 3", "bid 2 X 3"].map(|bid| play("liars-dice", &[bid]));
    assert!(same.iter().all(|out| last_position(out) == last_position(&same[0])), "{same:?}");
}

#[test]
fn liars_dice_can_be_played_to_the_end() {
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
fn help_lists_the_inputs() {
    for (game, words) in [
        ("yahtzee", ["keep 6 6", "roll", "FULL_HOUSE"]),
        ("liars-dice", ["4×2, 4x2 or 4 2", "liar", "hint"]),
    ] {
        for help in ["help", "h", "?"] {
            let out = play(game, &[help]);
            for word in words.iter().chain(&["undo", "help", "quit"]) {
                assert!(out.contains(&format!("\n  {word} ")), "{word}: {out}");
            }
        }
    }
}

/// Expects a line to be refused with this message, and the game to continue as if it had not been typed.
#[track_caller]
fn check_mistyped(game: &str, before: &[&str], line: &str, message: &str) {
    let out = play(game, &[before, &[line, "quit"]].concat());
    let expected = format!("> {line}\n{message} (type help for help)\n> quit\n");
    assert!(out.contains(&expected), "{expected:?} is not in {out}");
}

#[test]
fn mistyped_yahtzee_lines_are_refused() {
    let no_word = |word: &str, similar: &str| {
        let why = format!("{word:?} is neither a free box nor a keep; did you mean {similar:?}?");
        check_mistyped("yahtzee", &[], word, &why);
    };
    no_word("rol", "roll");
    no_word("kep 3 4", "keep");
    no_word("quitt", "quit");
    no_word("hlep", "help");
    no_word("YATZE", "YAHTZEE");
    check_mistyped("yahtzee", &[], "keep 7", "\"7\" is not a face: faces are 1 to 6");
    check_mistyped("yahtzee", &[], "keep x", "\"x\" is not a face: faces are 1 to 6");
    let six = "1 2 3 4 5 6 cannot be kept: the dice show ";
    let out = play("yahtzee", &["keep 1 2 3 4 5 6"]);
    assert!(out.contains(six), "{out}");
    check_mistyped("yahtzee", &[], "four", "\"four\" may be FOURS or FOUR_OF_A_KIND");
    check_mistyped("yahtzee", &[], "fill", "no box is named; name one, such as FULL_HOUSE");
    check_mistyped("yahtzee", &["aces"], "aces", "this category is already used");
    check_mistyped(
        "yahtzee",
        &[],
        "keep",
        "name the faces to keep, such as `keep 6 6`; `roll` rolls all five",
    );
    let last = ["roll", "roll"];
    check_mistyped("yahtzee", &last, "roll", "no roll is left: name a box");
}

#[test]
fn mistyped_liars_dice_lines_are_refused() {
    let no_word = |word: &str, similar: &str| {
        let why = format!("{word:?} is neither a bid such as 4×5 nor liar{similar}");
        check_mistyped("liars-dice", &[], word, &why);
    };
    no_word("two sevens", "");
    no_word("undoo", "; did you mean \"undo\"?");
    no_word("lair", "; did you mean \"liar\"?");
    check_mistyped("liars-dice", &[], "2×7", "face 7 is not 1-6");
    check_mistyped(
        "liars-dice",
        &[],
        "liar",
        "there is no bid to call: open with one, such as 2×3",
    );
    check_mistyped("liars-dice", &[], "0 3", "count 0 is not 1-1000000");
    check_mistyped("liars-dice", &[], "-1 3", "count -1 is not 1-1000000");
}

#[test]
fn binary_input_is_harmless() {
    let scratch = Scratch::new();
    let input = b"\xff\xfe\n\x1b[2J\n\n   \n\0\nchance\n";
    let output = scratch.run_with_input(&["play", "yahtzee", "--seed", "t"], input);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert!(output.out.contains("Round 2 of 13"), "{}", output.out);
    let is_unprintable = |c: char| c.is_control() && c != '\n';
    assert!(!output.out.contains(is_unprintable), "{:?}", output.out);
}

#[test]
fn an_abbreviated_box_is_a_free_one() {
    let out = play("yahtzee", &["fours", "four", "four"]);
    assert!(out.contains("FOUR_OF_A_KIND") && out.contains("Round 3 of 13"), "{out}");
    assert!(out.contains("\"four\" is neither a free box nor a keep"), "{out}");
}

/// Expects that undoing moves and typing `line` leads to the same position as typing `line` alone.
#[track_caller]
fn check_undo(game: &str, before: &[&str], line: &str, others: &[&str]) {
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
fn undo_takes_one_move_back() {
    check_undo("yahtzee", &[], "keep 1 5", &["roll", "chance", "keep 5"]);
    check_undo("yahtzee", &["keep 1", "keep 1"], "aces", &["chance"]);
    check_undo("yahtzee", &BOXES[..12], "roll", &["keep all five"]);
    check_undo("liars-dice", &["1 1"], "liar", &["9 6"]);
    check_undo("liars-dice", &["1 1", "liar"], "liar", &["9 6"]);
}

#[test]
fn undo_takes_all_moves_back() {
    for (game, moves) in
        [("yahtzee", ["keep 1", "aces", "roll"]), ("liars-dice", ["1 1", "9 6", "liar"])]
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
fn a_last_line_without_newline_counts() {
    let output = Scratch::new().run_with_input(&["play", "yahtzee", "--seed", "t"], b"chance");
    assert!(output.out.contains("Round 2 of 13"), "{}", output.out);
}

#[test]
fn a_random_seed_is_printed() {
    let scratch = Scratch::new();
    let output = scratch.run(&["play", "liars-dice"]);
    let seed =
        output.out.lines().next().and_then(|line| line.split_once("seed ")).expect("a seed").1;
    assert_eq!(scratch.run(&["play", "liars-dice", "--seed", seed]), output);
}

#[test]
fn opponents_can_come_from_a_hill_file() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill("game = \"liars-dice\"", &["pirate"]));
    let output = scratch.run(&["play", "liars-dice", "--against", "hill.toml#A", "hill.toml#A"]);
    assert_eq!(output.code, 0);
    let names = output.out.lines().nth(1).and_then(|line| line.split_once(" at the table"));
    let mut names: Vec<_> = names.expect("a line of names").0.split(", ").collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "A-2", "you"]);
}

#[test]
fn the_other_rules_can_be_chosen() {
    for (game, rules) in [("yahtzee", "mego-2016"), ("liars-dice", "superjedi-2015")] {
        let output = Scratch::new().run(&["play", game, "--rules", rules]);
        assert_eq!(output.code, 0);
        assert!(output.out.contains(&format!("  {rules} rules, seed ")), "{}", output.out);
    }
}
