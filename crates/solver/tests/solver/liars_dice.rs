//! Solved rounds of Liar's Dice, compared with theory and with a slow reference solver of any game.

mod blueprint;
mod extensive;
mod kuhn;
mod one_die;

use std::num::NonZero;

use dicehill_rules::Face;
use dicehill_solver::liars_dice::{
    Bracket, Learner, MatchValue, Round, RoundError, Side, Strategy, Tree, TreeLimits,
    best_response,
};
use kuhn::Kuhn;
use one_die::{OneDie, Weighted};

const ALONE: NonZero<usize> = NonZero::<usize>::MIN;

fn learn(round: Round, limits: TreeLimits, iterations: u32) -> Learner {
    let mut learner = Learner::new(Tree::new(round, limits));
    learner.learn(iterations, ALONE);
    learner
}

/// Checks that the value of a round is between the guarantees of both strategies.
#[track_caller]
fn check_value(round: Round, iterations: u32, value: f64, within: f64) {
    let learner = learn(round, TreeLimits::NONE, iterations);
    let [starter, responder] = Side::BOTH.map(|side| Strategy::average(&learner, side).guarantee());
    assert!(starter <= value + 1e-6 && value - 1e-6 <= -responder, "{starter} {responder}");
    assert!(-responder - starter < 2.0 * within, "{starter} {responder}");
}

#[test]
fn the_reference_solver_finds_the_value_of_kuhn_poker() {
    let solved = extensive::solve(&Kuhn::deal(), 2000);
    let [first, second] =
        [0, 1].map(|player| extensive::best_response(&Kuhn::deal(), player, &solved));
    assert!(-second <= -1.0 / 18.0 + 1e-9 && -1.0 / 18.0 <= first + 1e-9, "{first} {second}");
    assert!((first + second) / 2.0 < 1e-4, "{first} {second}");
}

#[test]
fn one_die_each_has_the_known_values() {
    check_value(Round::new(1, 1).unwrap(), 3000, -0.021_407, 1e-4);
    let sixes = Round::with_wild(1, 1, Face::SIX).unwrap();
    check_value(sixes, 3000, -7.0 / 258.0, 2e-4);
}

#[test]
fn best_responses_match_the_reference_solver() {
    for wild in [Face::ONE, Face::SIX] {
        let tree = Tree::new(Round::with_wild(1, 1, wild).unwrap(), TreeLimits::NONE);
        for (side, policy) in Side::BOTH.into_iter().zip([0, 5].map(Weighted::new)) {
            let found = best_response(&tree, side, &policy);
            let player = usize::from(side == Side::Starter);
            let expected = extensive::best_response(&OneDie::deal(wild), player, &policy);
            assert!((found - expected).abs() < 1e-12, "{wild} {side}: {found} {expected}");
        }
    }
}

/// One die each, sixes wild: best-response values computed by OpenSpiel (`openspiel.py`).
#[test]
fn best_responses_match_openspiel() {
    let tree = Tree::new(Round::with_wild(1, 1, Face::SIX).unwrap(), TreeLimits::NONE);
    let lines: Vec<_> = include_str!("liars_dice/openspiel.txt").lines().collect();
    assert_eq!(lines.len(), 4);
    for line in lines {
        let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        let [number, first, second] = numbers[..] else { panic!("{line}") };
        let policy = Weighted::new(number as u32);
        for (side, expected) in [(Side::Responder, first), (Side::Starter, second)] {
            let found = best_response(&tree, side, &policy);
            assert!((found - expected).abs() < 1e-6, "{line}: {side} {found}");
        }
    }
}

/// With even rounds the match is a fair game, and wide brackets give wide bounds.
#[test]
fn match_values_follow_from_round_values() {
    let even = vec![Bracket { lower: 0.0, upper: 0.0 }; 9];
    let value = MatchValue::new(&even);
    // In a fair game, a player with a of 10 dice wins with probability a / 10, whichever player starts.
    for dice in 1..=9 {
        let (least, most) = value.starter(dice);
        let expected = f64::from(dice) / 10.0;
        assert!(
            (least - expected).abs() < 1e-9 && (most - expected).abs() < 1e-9,
            "{dice}: {least}"
        );
    }
    let wide = MatchValue::new(&[Bracket { lower: -0.1, upper: 0.2 }; 9]);
    let (least, most) = wide.starter(5);
    assert!(least < 0.5 && most > 0.5 && most < 1.0, "{least} {most}");
}

#[test]
fn a_strategy_survives_encoding_and_damage_is_detected() {
    let limits = TreeLimits::with_max_bids(Side::Starter, 4);
    let strategy = Strategy::average(&learn(Round::new(1, 2).unwrap(), limits, 30), Side::Starter);
    let bytes = strategy.to_bytes(strategy.guarantee());
    let (read, guarantee) = Strategy::from_bytes(&bytes).unwrap();
    assert_eq!(read, strategy);
    assert_eq!(guarantee.to_bits(), read.guarantee().to_bits());
    for place in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert!(Strategy::from_bytes(&damaged).is_err(), "byte {place}");
        assert!(Strategy::from_bytes(&bytes[..place]).is_err(), "{place} bytes");
    }
}

#[test]
fn learning_continues_from_a_checkpoint() {
    let tree =
        || Tree::new(Round::new(1, 2).unwrap(), TreeLimits::with_max_bids(Side::Responder, 5));
    let mut whole = Learner::new(tree());
    whole.learn(30, ALONE);
    let mut part = Learner::new(tree());
    part.learn(13, ALONE);
    let mut bytes = Vec::new();
    part.write(&mut bytes).unwrap();
    let mut read = Learner::read(tree(), &mut bytes.as_slice()).unwrap();
    read.learn(17, ALONE);
    let side = Side::Responder;
    assert_eq!(Strategy::average(&read, side), Strategy::average(&whole, side));
    let other = Tree::new(Round::new(1, 2).unwrap(), TreeLimits::with_max_bids(side, 3));
    assert!(Learner::read(other, &mut bytes.as_slice()).is_err());
    bytes[1000] ^= 1;
    assert!(Learner::read(tree(), &mut bytes.as_slice()).is_err());
}

#[test]
fn an_untrained_strategy_is_legal() {
    let learner = Learner::new(Tree::new(Round::new(1, 1).unwrap(), TreeLimits::NONE));
    for side in Side::BOTH {
        let strategy = Strategy::average(&learner, side);
        let guarantee = strategy.guarantee();
        assert!((-1.0..0.0).contains(&guarantee), "{side}: {guarantee}");
        assert_eq!(Strategy::from_bytes(&strategy.to_bytes(guarantee)), Ok((strategy, guarantee)));
    }
}

/// The guarantee in a limited tree equals the one in the whole game.
#[test]
fn guarantees_hold_in_the_whole_game() {
    for (dice, side, max_bids, call_from) in [
        ([1, 1], Side::Starter, 4, 9),
        ([1, 1], Side::Responder, 5, 2),
        ([1, 2], Side::Starter, 6, 3),
        ([2, 1], Side::Responder, 4, 2),
        ([2, 1], Side::Starter, 3, 9),
    ] {
        let round = Round::new(dice[0], dice[1]).unwrap();
        let limits = TreeLimits { call_from, ..TreeLimits::with_max_bids(side, max_bids) };
        let strategy = Strategy::average(&learn(round, limits, 40), side);
        let exact = -best_response(&Tree::new(round, TreeLimits::NONE), side, &strategy);
        let certified = strategy.guarantee();
        assert!((certified - exact).abs() < 1e-12, "{dice:?} {side}: {certified} {exact}");
        assert!((-1.0..0.5).contains(&certified), "{certified}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let limits = TreeLimits { call_from: 3, ..TreeLimits::with_max_bids(Side::Starter, 6) };
    let strategies = [1, 2, 3].map(|threads| {
        let mut learner = Learner::new(Tree::new(Round::new(2, 1).unwrap(), limits));
        learner.learn(25, NonZero::new(threads).unwrap());
        Strategy::average(&learner, Side::Starter)
    });
    assert_eq!(strategies[0], strategies[1]);
    assert_eq!(strategies[0], strategies[2]);
}

#[test]
fn rounds_without_dice_or_with_too_many_are_rejected() {
    assert_eq!(Round::new(0, 3), Err(RoundError::Dice(0)));
    assert_eq!(Round::new(255, 255), Err(RoundError::Table(510)));
    assert!(Round::new(9, 1).is_ok() && Round::new(9, 2).is_err());
}
