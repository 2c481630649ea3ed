//! Illegal actions.

use dicehill_environments::{EnvironmentGame, IllegalActions, StepError, VectorOptions};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, Seat};

use crate::support::Caller;

/// The second environment gets an illegal action after some legal ones.
fn check<G: EnvironmentGame>(
    options: VectorOptions<G>,
    before: &[i64],
    illegal: i64,
    message: &str,
) {
    let mut caller = Caller::new(options);
    before.iter().for_each(|action| caller.step(&[*action; 3]));
    let (arrays, legal) = (caller.arrays.clone(), caller.actions());
    let games: Vec<_> = (0..3).map(|index| caller.environment.game(index).clone()).collect();
    let error = caller.try_step(&[legal[0], illegal, legal[2]]).expect_err("an illegal action");
    assert_eq!(error.to_string(), format!("environment 1: action {illegal} is illegal: {message}"));
    assert_eq!(caller.arrays, arrays);
    assert!((0..3).all(|index| *caller.environment.game(index) == games[index]));
    caller.step(&legal);
}

#[test]
fn an_illegal_action_changes_nothing() {
    let yahtzee = || VectorOptions::<Yahtzee>::new(3, 1, "illegal");
    check(yahtzee(), &[44], 44, "this category is already used");
    check(yahtzee(), &[0, 0], 31, "nothing can be kept at stage 2: name a category");
    check(yahtzee(), &[], 45, "actions are 0 to 44");
    check(yahtzee(), &[], -1, "actions are 0 to 44");
    let dice = || VectorOptions::<LiarsDice>::new(3, 2, "illegal");
    check(dice(), &[], 150, "\"Liar!\" without a bid: the first action of a round is a bid");
    check(dice(), &[10], 9, "bid \"2 4\" is not higher than the last bid \"2 5\"");
    check(dice(), &[], 60, "the bid is above the number of dice on the table");
    check(dice(), &[], 151, "actions are 0 to 150");
}

#[test]
fn buffers_of_the_wrong_length_are_refused() {
    let mut caller = Caller::new(VectorOptions::<Yahtzee>::new(3, 1, "illegal"));
    let error = caller.try_step(&[44; 2]).expect_err("an action is missing");
    assert_eq!(error.to_string(), "the buffer actions has 2 numbers, not 3");
    caller.arrays.masks.pop();
    let error = caller.try_step(&[44; 3]).expect_err("a byte is missing");
    assert!(matches!(error, StepError::Buffer(_)));
    assert_eq!(error.to_string(), "the buffer masks has 134 numbers, not 135");
    assert_eq!(caller.environment.game(0).stage(), 0);
    assert_eq!(caller.environment.game(0).round(), 1);
}

#[test]
fn a_forfeit_voids_a_game_of_yahtzee() {
    let illegal_actions = IllegalActions::Forfeit;
    let options = VectorOptions::<Yahtzee>::new(2, 2, "illegal");
    let mut caller = Caller::new(VectorOptions { illegal_actions, ..options });
    caller.step(&[44, 200]);
    assert_eq!(caller.arrays.dones, [0, 1]);
    assert_eq!(caller.rewards(1), [0.0, 0.0]);
    assert_eq!([0, 1].map(|index| caller.environment.game_number(index)), [1, 4]);
}

#[test]
fn a_forfeit_eliminates_a_player_of_liars_dice() {
    let illegal_actions = IllegalActions::Forfeit;
    let options = VectorOptions::<LiarsDice>::new(1, 3, "illegal");
    let mut caller = Caller::new(VectorOptions { illegal_actions, ..options });
    let table = Chance::new("illegal").table(1);
    let mut game = LiarsDice::new(Default::default(), 3, &table);
    caller.step(&[150]);
    game.forfeit(&table);
    assert_eq!(*caller.environment.game(0), game);
    assert_eq!(game.seats(), [1, 2].map(Seat::new));
    // The rules allow this bid; the environment does not.
    caller.step(&[149]);
    game.forfeit(&table);
    assert_eq!(caller.arrays.dones, [1]);
    let points = Seat::all(3).map(|seat| game.result(seat).points as f32).collect::<Vec<_>>();
    assert_eq!(caller.rewards(0), points);
}
