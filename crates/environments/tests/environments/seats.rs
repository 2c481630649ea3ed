//! What each seat sees, also while another is to act.

use dicehill_environments::liars_dice::layout as dice_layout;
use dicehill_environments::yahtzee::layout as card_layout;
use dicehill_environments::{EnvironmentGame, VectorOptions};
use dicehill_rules::Seat;
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;

use crate::support::Caller;

const ENVIRONMENTS: usize = 3;

/// Plays some steps; `check_seat` gets each row of a game in progress with its game and seat.
fn check<G: EnvironmentGame>(players: usize, check_seat: fn(&G, Seat, &[u8])) {
    let mut caller = Caller::new(VectorOptions::<G>::new(ENVIRONMENTS, players, "seats"));
    for step in 0..400 {
        for index in 0..ENVIRONMENTS {
            // After the end of a game, the rows are those of the end.
            if step > 0 && caller.arrays.dones[index] == 1 {
                continue;
            }
            let acting = usize::from(caller.arrays.seats[index]);
            assert_eq!(caller.seen_by(index, acting), caller.observation(index));
            for seat in Seat::all(players) {
                check_seat(
                    caller.environment.game(index),
                    seat,
                    caller.seen_by(index, seat.index()),
                );
            }
        }
        caller.step(&caller.actions());
    }
}

#[test]
fn each_seat_of_liars_dice_sees_its_own_dice() {
    for players in 2..=5 {
        check::<LiarsDice>(players, |game, seat, seen| {
            let position = game.seats().iter().position(|still_in| *still_in == seat);
            let own = position.map_or(&[][..], |position| game.hands()[position].faces());
            let dice = &seen[dice_layout::DICE..dice_layout::POINTS];
            assert!(dice.iter().zip(own).all(|(byte, die)| *byte == die.pips()));
            assert!(dice[own.len()..].iter().all(|byte| *byte == 0));
            assert_eq!(usize::from(seen[dice_layout::COUNTS]), own.len());
            assert_eq!(usize::from(seen[dice_layout::BID_COUNT]), game.bids().len());
        });
    }
}

#[test]
fn the_dice_of_a_turn_of_yahtzee_are_for_the_seat_to_act() {
    for players in [1, 2, 5] {
        check::<Yahtzee>(players, |game, seat, seen| {
            let is_acting = dicehill_rules::Game::to_act(game) == Some(seat);
            let dice = &seen[card_layout::DICE..card_layout::FACES];
            assert!(dice.iter().all(|die| (*die > 0) == is_acting));
            assert_eq!(u32::from(seen[card_layout::ROUND]), game.round());
            assert_eq!(
                u32::from(seen[card_layout::UPPER]),
                game.cards()[seat.index()].upper_total()
            );
        });
    }
}
