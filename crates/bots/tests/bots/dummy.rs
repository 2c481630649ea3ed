//! The decisions of DummyPlayer, each derived by hand from the published source.

use std::collections::BTreeMap;

use dicehill_rules::yahtzee::Category::{self, *};

use crate::yahtzee_position::{all_but, answer};

const SEEDS: u64 = 1300;

/// With any seed it fills one of `expected`, uniformly.
#[track_caller]
fn check(free: &[Category], dice: &str, expected: &[Category]) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..SEEDS {
        *counts.entry(answer("dummy", seed, free, dice, 0)).or_default() += 1;
    }
    let mut names: Vec<_> = expected.iter().map(|category| category.name()).collect();
    names.sort_unstable();
    assert!(counts.keys().eq(&names), "{counts:?}");
    let even = SEEDS as f64 / expected.len() as f64;
    let most = 4.5 * even.sqrt();
    assert!(counts.values().all(|count| (*count as f64 - even).abs() <= most), "{counts:?}");
}

#[test]
fn it_fills_any_free_box_with_the_first_roll() {
    check(&Category::ALL, "12345", &Category::ALL);
    check(&Category::ALL, "44441", &Category::ALL);
    check(&[Aces, Sixes, FullHouse], "22333", &[Aces, Sixes, FullHouse]);
    check(&[Yahtzee], "12345", &[Yahtzee]);
}

#[test]
fn a_yahtzee_goes_to_its_box() {
    check(&Category::ALL, "44444", &[Yahtzee]);
    check(&[Fours, Yahtzee], "44444", &[Yahtzee]);
}

#[test]
fn a_further_yahtzee_goes_to_the_box_of_its_face() {
    check(&all_but(&[Yahtzee]), "44444", &[Fours]);
    check(&[Aces, Chance], "11111", &[Aces]);
}

#[test]
fn a_joker_goes_to_any_free_lower_box() {
    let lower = [ThreeOfAKind, FourOfAKind, FullHouse, SmallStraight, LargeStraight, Chance];
    check(&all_but(&[Yahtzee, Fours]), "44444", &lower);
    check(&[Aces, SmallStraight, Chance], "44444", &[SmallStraight, Chance]);
}

#[test]
fn without_a_fitting_box_a_yahtzee_goes_to_any_upper_box() {
    check(&[Aces, Twos, Sixes], "44444", &[Aces, Twos, Sixes]);
}
