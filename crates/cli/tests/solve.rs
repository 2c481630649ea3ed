//! `solve`: the value of optimal play; and `bots`: the house bots that play optimally.

use serde_json::Value;

use crate::support::{CommandOutput, Scratch, number, with_single_spaces};

/// The output of the command, with nothing on stderr.
#[track_caller]
fn solved(scratch: &Scratch, arguments: &[&str]) -> String {
    let CommandOutput { code, out, err } =
        scratch.run(&[&["solve", "yahtzee"], arguments].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(!out.contains('\u{1b}'), "{out}");
    out
}

fn document(scratch: &Scratch, arguments: &[&str]) -> Value {
    let out = solved(scratch, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&out).expect("a document")
}

/// Published optimal means under the official rules and with a free choice of box.
const STARTS: [(&str, f64); 2] =
    [("official", 254.587_728_734_495), ("free-joker", 254.589_609_481_962)];

#[test]
fn the_document_has_the_exact_distribution() {
    for (rules, start) in STARTS {
        let document = document(&Scratch::new(), &["--rules", rules]);
        assert_eq!(document["schema"], "dicehill.solution/1");
        assert_eq!((&document["game"], &document["rules"]), (&"yahtzee".into(), &rules.into()));
        assert!((number(&document["start"]) - start).abs() < 1e-9, "{}", document["start"]);
        let score = &document["score"];
        assert!((number(&score["total_probability"]) - 1.0).abs() < 1e-12, "{score}");
        assert!((number(&score["mean"]) - start).abs() < 1e-9, "{score}");
        let line = |line: &Value| (number(&line[0]), number(&line[1]));
        let lines = document["distribution"].as_array().expect("a distribution").iter();
        let lines: Vec<_> = lines.map(line).collect();
        let sum = |of: fn(&(f64, f64)) -> f64| lines.iter().map(of).sum::<f64>();
        assert!((sum(|(_, chance)| *chance) - 1.0).abs() < 1e-12);
        assert!((sum(|(score, chance)| score * chance) - start).abs() < 1e-9);
        assert_eq!(lines.last().map(|(score, _)| *score), Some(1575.0));
        assert_eq!(score["highest"], 1575);
        assert_eq!(document["boxes"].as_array().map(Vec::len), Some(13));
    }
}

#[test]
fn boxes_and_bonuses_add_up_to_the_mean() {
    let document = document(&Scratch::new(), &[]);
    let boxes = document["boxes"].as_array().expect("boxes").iter();
    let boxes: f64 = boxes.map(|line| number(&line["mean"])).sum();
    let bonuses = document["yahtzee_bonuses"].as_array().expect("bonuses").iter().enumerate();
    let bonuses: f64 = bonuses.map(|(count, chance)| 100.0 * count as f64 * number(chance)).sum();
    let sum = boxes + 35.0 * number(&document["upper_bonus"]) + bonuses;
    assert!((sum - number(&document["start"])).abs() < 1e-9, "{sum}");
}

#[test]
fn the_text_has_all_sections_and_fits_on_120_columns() {
    let out = solved(&Scratch::new(), &[]);
    assert!(out.starts_with("Solitaire Yahtzee, official rules, solved\n"), "{out}");
    for words in [
        "\n  An optimal player scores 254.587728734 on average.\n",
        "\nScores\n  standard deviation 59.61, skewness ",
        "\n  from 12 to 1,575 can happen\n",
        ", 50 %: 248, ",
        "\n   250 - 274  ",
        "\nBoxes  ",
        "\n  YAHTZEE  ",
        "\nBonuses\n",
    ] {
        assert!(out.contains(words), "{words:?} is not in {out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 120), "{out}");
    let plain = solved(&Scratch::new(), &["--rules", "plain"]);
    assert!(plain.contains("\n  An optimal player scores 245.8707"), "{plain}");
}

#[test]
fn a_plot_is_written_completely_or_not_at_all() {
    let scratch = Scratch::new();
    scratch.write("scores.svg", "what was there");
    let out = solved(&scratch, &["--plot", "scores.svg"]);
    assert!(out.starts_with("Solitaire Yahtzee"), "the report is printed too: {out}");
    let picture = scratch.read("scores.svg");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert!(picture.contains("254.59") && picture.matches("<rect ").count() > 100, "{picture}");
    for (path, words) in
        [("scores.png", "--plot draws .svg files"), ("scores.svg/more.svg", "scores.svg")]
    {
        let output = scratch.run(&["solve", "yahtzee", "--plot", path]);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{path}: {}", output.err);
        assert!(output.err.contains(words), "{path}: {}", output.err);
        assert!(!scratch.path(path).exists(), "{path}");
    }
    let rules = scratch.run(&["solve", "yahtzee", "--rules", "house"]);
    assert!(rules.code == 2 && rules.err.contains("official"), "{}", rules.err);
}

#[test]
fn exact_players_are_listed_and_can_be_named() {
    let scratch = Scratch::new();
    let list = scratch.run(&["bots"]);
    let (yahtzee, liars_dice) = list.out.split_once("\n\n").expect("two games");
    for name in ["optimal", "winner"] {
        let line = format!("\n  {name} ");
        assert!(yahtzee.contains(&line) && !liars_dice.contains(&line), "{}", list.out);
        let elsewhere = scratch.run(&["run", "liars-dice", name, "pirate"]);
        let message = "this house bot plays yahtzee, not liars-dice";
        assert!(elsewhere.code == 2 && elsewhere.err.contains(message), "{}", elsewhere.err);
    }
    // A table with `winner` and others takes a while to solve, once.
    let alone = scratch.run(&["run", "yahtzee", "winner"]);
    assert!(alone.err.contains("there is only one bot, but"), "{}", alone.err);
    scratch.run_ok(&["hill", "init", "h.db", "yahtzee", "--games", "3"]);
    scratch.run_ok(&["hill", "add", "h.db", "winner"]);
    let entrants = scratch.run(&["hill", "list", "h.db"]).out;
    assert_eq!(
        with_single_spaces(&entrants),
        "bot version kind identity\nwinner 1 house house:winner@1\n"
    );
    let unknown = scratch.run(&["run", "yahtzee", "nobody-knows", "dummy"]);
    assert!(unknown.err.contains("greedy, random, optimal, winner"), "{}", unknown.err);
}

/// The default field of a game has no exact players.
#[test]
fn exact_players_play_only_if_named() {
    let run = ["run", "yahtzee", "--games", "3", "--seed", "s", "--format", "json"];
    let document: Value = serde_json::from_str(&Scratch::new().run(&run).out).expect("a document");
    let rows = document["standings"].as_array().expect("standings").iter();
    let mut names: Vec<_> = rows.map(|row| row["bot"].as_str().expect("a name")).collect();
    names.sort_unstable();
    assert_eq!(names, ["aces-and-eights", "dummy", "greedy", "random"]);
}
