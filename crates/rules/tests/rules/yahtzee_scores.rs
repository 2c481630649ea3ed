//! Every roll, joker and bonus against the independently generated table `data/yahtzee_scores.tsv`; `data/yahtzee_scores.py` documents its
//! lines.

use std::collections::{BTreeSet, HashMap};

use crate::scripted_dice::{ScriptedDice, read_faces};
use dicehill_rules::yahtzee::{
    Action, Category, CategorySet, Refusal, Roll, Scorecard, Yahtzee, YahtzeeRules,
};
use dicehill_rules::{Face, Game};

const TABLE: &str = include_str!("data/yahtzee_scores.tsv");

/// The fields of the table's lines of one kind, without the first field.
fn lines(kind: &str) -> impl Iterator<Item = Vec<&'static str>> {
    let fields = |line: &'static str| line.split('\t').collect::<Vec<_>>();
    TABLE.lines().map(fields).filter(move |fields| fields[0] == kind).map(|f| f[1..].to_vec())
}

fn read_roll(digits: &str) -> Roll {
    read_faces(digits).try_into().expect("five dice")
}

/// All 7,776 rolls; the order of the dice matters.
fn all_rolls() -> impl Iterator<Item = Roll> {
    (0..6usize.pow(5)).map(|number| [0, 1, 2, 3, 4].map(|i| Face::ALL[number / 6usize.pow(i) % 6]))
}

fn sorted(mut dice: Roll) -> Roll {
    dice.sort_unstable();
    dice
}

#[test]
fn every_roll_in_every_order_scores_as_in_the_table() {
    let table: HashMap<Roll, Vec<&str>> =
        lines("plain").map(|fields| (read_roll(fields[0]), fields[1..].to_vec())).collect();
    assert_eq!(table.len(), 252);
    let mut seen = BTreeSet::new();
    for dice in all_rolls() {
        check_plain(&dice, &table[&sorted(dice)]);
        seen.insert(dice);
    }
    assert_eq!(seen.len(), 7776);
}

/// `expected` holds `fits:score` for each category.
fn check_plain(dice: &Roll, expected: &[&str]) {
    assert_eq!(expected.len(), Category::ALL.len());
    let card = Scorecard::new(YahtzeeRules::Official);
    for (category, expected) in Category::ALL.into_iter().zip(expected) {
        let fits = category.matches(dice);
        assert_eq!(Category::matching(dice).contains(category), fits, "{category} {dice:?}");
        let written = format!("{}:{}", u8::from(fits), category.score(dice));
        assert_eq!(written, *expected, "{category} {dice:?}");
        let free_box = card.box_score(category, dice);
        assert_eq!(free_box, category.score(dice), "{category} {dice:?} on an empty card");
    }
    assert_eq!(card.legal(dice), CategorySet::ALL, "nothing is forced with {dice:?}");
}

/// The content of the Yahtzee box.
#[derive(Clone, Copy, PartialEq, Debug)]
enum YahtzeeBox {
    Free,
    Zero,
    Fifty,
}

/// A game of one player in which exactly the boxes `free` are free and `dice` are shown.
fn game_with(
    rules: YahtzeeRules,
    free: CategorySet,
    yahtzee_box: YahtzeeBox,
    dice: &Roll,
) -> (Yahtzee, ScriptedDice) {
    let used: Vec<_> = Category::ALL.into_iter().filter(|c| !free.contains(*c)).collect();
    let is_fifty = |category| category == Category::Yahtzee && yahtzee_box == YahtzeeBox::Fifty;
    let filled_with = |category: &Category| if is_fifty(*category) { "66666" } else { "12265" };
    let shown: String = dice.iter().map(Face::to_string).collect();
    // A test may fill one more box, after which the next round's dice are rolled.
    let rolls = used.iter().map(filled_with).chain([shown.as_str(), "12346"]);
    let script = (1..)
        .zip(rolls)
        .fold(ScriptedDice::default(), |script, (round, roll)| script.with(0, round, 0, roll));
    let mut game = Yahtzee::new(rules, 1, &script);
    for category in used {
        game.apply(&Action::Fill(category), &script)
            .expect("the box is free and nothing is forced");
    }
    assert_eq!((game.cards()[0].free(), game.dice()), (free, dice));
    (game, script)
}

#[test]
fn every_joker_is_forced_and_scored_as_in_the_table() {
    let mut states = 0;
    for fields in lines("joker") {
        let [roll, free, expected @ ..] = fields.as_slice() else { panic!("{fields:?}") };
        for rules in Yahtzee::RULES {
            for yahtzee_box in [YahtzeeBox::Zero, YahtzeeBox::Fifty] {
                let free = read_free(free);
                let (game, script) = game_with(*rules, free, yahtzee_box, &read_roll(roll));
                check_joker(&game, &script, expected);
            }
        }
        states += 1;
    }
    assert_eq!(states, 6 * ((1 << 12) - 1));
}

fn read_free(flags: &str) -> CategorySet {
    let free = |(category, flag)| (flag == '1').then_some(category);
    Category::ALL.into_iter().zip(flags.chars()).filter_map(free).collect()
}

/// `expected` has the score in the box of each category, or `-` if it is illegal.
fn check_joker(game: &Yahtzee, script: &ScriptedDice, expected: &[&str]) {
    assert_eq!(expected.len(), Category::ALL.len());
    let (card, dice) = (&game.cards()[0], game.dice());
    assert!(card.is_joker(dice), "{dice:?} {card:?}");
    for (category, expected) in Category::ALL.into_iter().zip(expected) {
        let named = card.legal(dice).contains(category);
        let score = if named { card.box_score(category, dice).to_string() } else { "-".into() };
        assert_eq!(score, *expected, "{category} {dice:?} {card:?}");
        check_fill(game, script, category, expected);
    }
}

/// Filling the box has the effect that the card predicts.
fn check_fill(game: &Yahtzee, script: &ScriptedDice, category: Category, expected: &str) {
    let mut after = game.clone();
    let free = game.cards()[0].free();
    match after.apply(&Action::Fill(category), script) {
        Ok(()) => assert_eq!(after.cards()[0].filled(category), expected.parse().ok()),
        Err(Refusal::Used(named)) => assert!(named == category && !free.contains(category)),
        Err(Refusal::JokerRule { named, legal }) => {
            assert_eq!((named, expected), (category, "-"));
            assert!(free.contains(named) && legal == game.cards()[0].legal(game.dice()));
        }
        Err(refusal @ (Refusal::KeepAtLastStage | Refusal::Ended)) => panic!("{refusal}"),
    }
}

#[test]
fn every_yahtzee_bonus_is_as_in_the_table() {
    let mut checked = 0;
    for fields in lines("bonus") {
        let [kind, yahtzee_box, rules, bonus] = fields.as_slice() else { panic!("{fields:?}") };
        let rules = Yahtzee::rules_named(rules).unwrap();
        let yahtzee_box = match *yahtzee_box {
            "free" => YahtzeeBox::Free,
            "0" => YahtzeeBox::Zero,
            "50" => YahtzeeBox::Fifty,
            other => panic!("{other:?}"),
        };
        let dice = all_rolls().filter(|dice| (*kind == "yahtzee") == is_yahtzee(dice));
        dice.for_each(|dice| check_bonus(rules, yahtzee_box, dice, bonus.parse().unwrap()));
        checked += 1;
    }
    assert_eq!(checked, 12);
}

fn is_yahtzee(dice: &Roll) -> bool {
    dice.iter().all(|die| *die == dice[0])
}

/// The card predicts the bonus, and every legal box earns it.
fn check_bonus(rules: YahtzeeRules, yahtzee_box: YahtzeeBox, dice: Roll, bonus: u32) {
    let lower = CategorySet::LOWER;
    let free = |c: &Category| yahtzee_box == YahtzeeBox::Free || *c != Category::Yahtzee;
    let (game, script) = game_with(rules, lower.iter().filter(free).collect(), yahtzee_box, &dice);
    let card = &game.cards()[0];
    let state = format!("{rules} {yahtzee_box:?} {dice:?}");
    assert_eq!(card.bonus_for(&dice), bonus, "{state}");
    for category in card.legal(&dice).iter() {
        let mut after = game.clone();
        after.apply(&Action::Fill(category), &script).expect("the card allows it");
        let earned = after.cards()[0].yahtzee_bonus() - card.yahtzee_bonus();
        let scored = after.cards()[0].score() - card.score();
        let boxed = u32::from(card.box_score(category, &dice));
        assert_eq!((earned, scored), (bonus, bonus + boxed), "{category} {state}");
    }
}
