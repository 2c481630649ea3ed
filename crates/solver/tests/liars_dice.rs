//! Solved rounds of Liar's Dice against theory, and against a slow solver of any game.

#[path = "liars_dice/extensive.rs"]
mod extensive;
#[path = "liars_dice/kuhn.rs"]
mod kuhn;
#[path = "liars_dice/one_die.rs"]
mod one_die;

use std::num::NonZero;

use dicehill_rules::Face;
use dicehill_solver::liars_dice::{
    Learner, Limits, Round, RoundError, Side, Strategy, Tree, best_response,
};
use kuhn::Kuhn;
use one_die::{Even, OneDie};

const ALONE: NonZero<usize> = NonZero::<usize>::MIN;

fn learnt(round: Round, limits: Limits, iterations: u32) -> Learner {
    let mut learner = Learner::new(Tree::new(round, limits));
    learner.learn(iterations, ALONE);
    learner
}

/// The value of a round lies between what both strategies guarantee.
#[track_caller]
fn check_value(round: Round, iterations: u32, value: f64, within: f64) {
    let learner = learnt(round, Limits::NONE, iterations);
    let [starter, responder] = Side::BOTH.map(|side| Strategy::of(&learner, side).guarantee());
    assert!(starter <= value + 1e-6 && value - 1e-6 <= -responder, "{starter} {responder}");
    assert!(-responder - starter < 2.0 * within, "{starter} {responder}");
}

#[test]
fn the_reference_solver_knows_the_value_of_kuhn_poker() {
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
fn the_judge_agrees_with_the_reference() {
    for wild in [Face::ONE, Face::SIX] {
        let tree = Tree::new(Round::with_wild(1, 1, wild).unwrap(), Limits::NONE);
        for side in Side::BOTH {
            let found = best_response(&tree, side, &Even::new(12));
            let player = usize::from(side == Side::Starter);
            let known = extensive::best_response(&OneDie::deal(wild), player, &Even::new(12));
            assert!((found - known).abs() < 1e-12, "{wild} {side}: {found} {known}");
        }
    }
}

/// A player that binds itself guarantees in the whole game what it does in its own tree.
#[test]
fn certificates_hold_in_the_whole_game() {
    for (dice, side, most_bids, call_from) in [
        ([1, 1], Side::Starter, 4, 9),
        ([1, 1], Side::Responder, 5, 2),
        ([1, 2], Side::Starter, 6, 3),
        ([2, 1], Side::Responder, 4, 2),
        ([2, 1], Side::Starter, 3, 9),
    ] {
        let round = Round::new(dice[0], dice[1]).unwrap();
        let limits = Limits { call_from, ..Limits::bids(side, most_bids) };
        let strategy = Strategy::of(&learnt(round, limits, 40), side);
        let judged = -best_response(&Tree::new(round, Limits::NONE), side, &strategy);
        let certified = strategy.guarantee();
        assert!((certified - judged).abs() < 1e-12, "{dice:?} {side}: {certified} {judged}");
        assert!((-1.0..0.5).contains(&certified), "{certified}");
    }
}

#[test]
fn threads_do_not_change_what_is_learnt() {
    let limits = Limits { call_from: 3, ..Limits::bids(Side::Starter, 6) };
    let strategies = [1, 2, 3].map(|threads| {
        let mut learner = Learner::new(Tree::new(Round::new(2, 1).unwrap(), limits));
        learner.learn(25, NonZero::new(threads).unwrap());
        Strategy::of(&learner, Side::Starter)
    });
    assert_eq!(strategies[0], strategies[1]);
    assert_eq!(strategies[0], strategies[2]);
}

#[test]
fn there_is_no_round_without_dice_or_with_too_many() {
    assert_eq!(Round::new(0, 3), Err(RoundError::Dice(0)));
    assert_eq!(Round::new(255, 255), Err(RoundError::Table(510)));
    assert!(Round::new(9, 1).is_ok() && Round::new(9, 2).is_err());
}
