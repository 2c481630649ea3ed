//! `advise`: the possible choices in a position, ranked by their values.

use crate::support::{CommandOutput, Scratch};
use serde_json::Value;

fn advise(arguments: &[&str]) -> CommandOutput {
    Scratch::new().run(&[&["advise", "yahtzee"], arguments].concat())
}

#[track_caller]
fn document(arguments: &[&str]) -> Value {
    let CommandOutput { code, out, err } = advise(&[arguments, &["--format", "json"]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&out).expect("a document")
}

#[track_caller]
fn refused(arguments: &[&str], message: &str) {
    let CommandOutput { code, out, err } = advise(arguments);
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
    assert!(err.contains(message), "{message:?} is not in {err}");
}

#[test]
fn yahtzee_choices_are_ranked_by_value() {
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
fn the_text_lists_the_best_choice_first() {
    let CommandOutput { code, out, err } = advise(&["--dice", "11466", "--stage", "1"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let expected = "⚀1 ⚀1 ⚃4 ⚅6 ⚅6   one roll left\nofficial rules\nall boxes are free\n";
    assert!(out.starts_with(expected), "{out}");
    assert!(out.contains("\n 1  keep 6 6 "), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

#[test]
fn the_joker_rule_limits_the_choices() {
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
fn invalid_yahtzee_positions_are_refused() {
    refused(
        &["--dice", "1146"],
        "invalid value '1146' for '--dice <DICE>': 4 dice, but five are rolled",
    );
    refused(&["--dice", "1,1,4,6,7"], "\"7\" is not a face: faces are 1 to 6");
    refused(&["--dice", "11466", "--stage", "3"], "invalid value '3' for '--stage <N>'");
    refused(&["--dice", "11466", "--free", "ACES,FOO"], "unknown category \"FOO\"");
    refused(&["--dice", "11466", "--free", ","], "names no box");
    refused(
        &["--dice", "11466", "--upper", "21"],
        "--upper 21: the filled upper boxes cannot have a total of 21",
    );
    refused(&["--dice", "11466", "--yahtzee", "50"], "--yahtzee: the Yahtzee box is free");
    refused(
        &["--dice", "11466", "--rules", "house"],
        "invalid value 'house' for '--rules <RULES>'",
    );
    refused(&["--dice", "11466", "--yahtzee", "40"], "invalid value '40'");
    refused(&[], "--dice");
}

/// The JSON document of `dicehill advise liars-dice` with these arguments.
#[track_caller]
fn liars_dice_document(arguments: &[&str]) -> Value {
    let format = ["--format", "json"];
    let output = Scratch::new().run(&[&["advise", "liars-dice"], arguments, &format].concat());
    assert_eq!((output.code, output.err.as_str()), (0, ""), "{arguments:?}");
    output.json()
}

const LATE: [&str; 8] = ["--counts", "3,2", "--seat", "2", "--dice", "26", "--bids", "1 6, 3 6"];

#[test]
fn the_last_bid_of_a_round_is_evaluated() {
    let document = liars_dice_document(&LATE);
    let last = &document["last_bid"];
    // At least two of three fair dice have to count for the bid: 7 in 27.
    assert_eq!(last["held"], 1);
    let if_fair = last["holds_if_fair"].as_f64().expect("a chance");
    assert!((if_fair - 7.0 / 27.0).abs() < 1e-15, "{if_fair}");
    let hand = &last["hands"][0];
    assert_eq!(hand["seat"], 0);
    let chances = |name: &str| -> Vec<f64> {
        let chances = hand[name].as_array().expect("chances");
        chances.iter().map(|chance| chance.as_f64().expect("a number")).collect()
    };
    let (fair, given) = (chances("counting_if_fair"), chances("counting"));
    assert_eq!(fair.len(), 4);
    for (chance, cases) in fair.iter().zip([8.0, 12.0, 6.0, 1.0]) {
        assert!((chance - cases / 27.0).abs() < 1e-15, "{fair:?}");
    }
    assert!((given.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{given:?}");
    assert!(given[0] < fair[0], "who bids sixes is likelier to hold some: {given:?}");
    let holds = last["holds"].as_f64().expect("a chance");
    assert!((holds - given[2] - given[3]).abs() < 1e-12, "{holds} and {given:?}");
}

#[test]
fn bids_may_be_written_in_each_notation() {
    let document = |bids: &str| {
        liars_dice_document(&["--counts", "3,2", "--seat", "2", "--dice", "26", "--bids", bids])
    };
    let plain = document("1 6, 3 6");
    for bids in ["1×6, 3×6", "1x6,3x6", "1*6 , 3X6"] {
        assert_eq!(document(bids), plain, "{bids}");
    }
}

/// Each value is printed with all its digits: the value of the start is that of the exact solution.
#[test]
fn documents_have_all_digits() {
    let document = document(&["--dice", "1,1,4,6,6"]);
    let digits = |value: &Value| value.to_string().len();
    let choices = document["choices"].as_array().expect("choices");
    assert!(choices.iter().any(|choice| digits(&choice["value"]) > 12), "{choices:?}");
}

#[test]
fn liars_dice_actions_are_ranked_by_value() {
    for position in [&LATE[..], &["--counts", "5,5,5,5,5", "--dice", "1,2,2,3,4"]] {
        let document = liars_dice_document(position);
        assert_eq!(document["schema"], "dicehill.advice/1");
        let choices = document["choices"].as_array().expect("choices");
        let wins: Vec<_> = choices.iter().map(|choice| choice["wins"].as_f64()).collect();
        assert!(wins.windows(2).all(|two| two[0] >= two[1]), "{wins:?}");
        let chance = |wins: &Option<f64>| wins.is_some_and(|wins| (0.0..=1.0).contains(&wins));
        assert!(wins.iter().all(chance), "{wins:?}");
        assert!(choices.iter().all(|choice| choice["value"].is_f64()), "{choices:?}");
        let calls = choices.iter().filter(|choice| choice["kind"] == "call").count();
        assert_eq!(calls, usize::from(position.contains(&"--bids")));
    }
    let output = Scratch::new().run(&[&["advise", "liars-dice"], &LATE[..]].concat());
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    let expected = "⚁2 ⚅6   seat 2 of 2, 5 dice\nlast bid 3×6, three sixes, of which you hold 1\nit holds with ";
    assert!(output.out.starts_with(expected), "{}", output.out);
    assert!(output.out.contains("  Liar!  "), "{}", output.out);
}

#[test]
fn invalid_liars_dice_positions_are_refused() {
    let refused = |arguments: &[&str], message: &str| {
        let output = Scratch::new().run(&[&["advise", "liars-dice"], arguments].concat());
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{arguments:?}");
        assert!(output.err.contains(message), "{message:?} is not in {}", output.err);
    };
    let position_of = |counts, dice| ["--counts", counts, "--dice", dice];
    refused(&position_of("5", "11111"), "1 players: a game has 2 to 5");
    refused(&position_of("5,0", "11111"), "the player at seat 2 has no dice");
    refused(&position_of("25,1", "1"), "26 dice on the table: there are at most 25");
    refused(
        &position_of("5,x", "11111"),
        "invalid value '5,x' for '--counts <N,N>': \"x\" is not a number of dice",
    );
    refused(&position_of("5,5", "1111"), "4 own dice, but 5 at seat 1");
    refused(&position_of("5,5", "11117"), "\"7\" is not a face: faces are 1 to 6");
    refused(
        &["--counts", "5,5", "--dice", "1", "--seat", "3"],
        "seat 3: with 2 players seats are 1 to 2",
    );
    refused(&["--counts", "5,5", "--dice", "1", "--seat", "0"], "number would be zero");
    let bids = |bids| ["--counts", "5,5", "--dice", "11111", "--bids", bids];
    refused(&bids("2 6, 2x6"), "the bid 2×6 is not higher than 2×6, the one before it");
    refused(&bids("2 7"), "face 7 is not 1-6");
    refused(&bids("two"), "is not a bid such as 4×5");
}

#[test]
fn no_probability_is_above_1() {
    let arguments = "advise liars-dice --counts 5,5 --dice 11466 --format json";
    let output = Scratch::new().run(&arguments.split(' ').collect::<Vec<_>>());
    let document: Value = serde_json::from_str(&output.out).expect("a document");
    let choices = document["choices"].as_array().expect("choices");
    assert!(!choices.is_empty());
    for choice in choices {
        for key in ["wins", "holds", "called"] {
            let probability = choice[key].as_f64().expect("a number");
            assert!((0.0..=1.0).contains(&probability), "{key}: {choice}");
        }
    }
}
