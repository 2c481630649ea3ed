//! Masks have the actions that the rules accept.

use dicehill_environments::{EnvironmentGame, VectorOptions};
use dicehill_rules::liars_dice::{Action, LiarsDice};
use dicehill_rules::yahtzee::{self, Keep, Yahtzee};
use dicehill_rules::{Chance, Game, Seat};

use crate::support::Caller;

/// Compares the masks of some thousand positions with the rules. Returns how many legal actions were masked by choice.
fn check<G: EnvironmentGame>(
    rules: G::Rules,
    players: usize,
    is_offered: fn(&G, &G::Action) -> bool,
) {
    let options = VectorOptions { rules, ..VectorOptions::<G>::new(16, players, "masks") };
    let chance = Chance::new("masks");
    let mut caller = Caller::new(options);
    for _ in 0..if players > 6 { 10 } else { 150 } {
        for environment in 0..16 {
            let game = caller.environment.game(environment);
            let dice = chance.table(caller.environment.game_number(environment));
            let seat = Seat::new(u16::from(caller.arrays.seats[environment]));
            assert_eq!(game.to_act(), Some(seat));
            for (number, legal) in caller.mask(environment).iter().enumerate() {
                let action = G::decode(number).expect("an action");
                assert_eq!(G::encode(action), Some(number));
                let accepted = game.clone().apply(action, &dice).is_ok();
                let expected = u8::from(accepted && is_offered(game, action));
                assert_eq!(*legal, expected, "{action} in {game:?}");
            }
        }
        caller.step(&caller.actions());
    }
}

#[test]
fn yahtzee_masks_match_the_rules() {
    for rules in Yahtzee::RULES {
        for players in [1, 2, 3, 6, 105] {
            check::<Yahtzee>(*rules, players, |_, _| true);
        }
    }
}

/// Every legal action is offered but for bids above the dice on the table.
#[test]
fn liars_dice_masks_match_the_rules() {
    for rules in LiarsDice::RULES {
        for players in 2..=5 {
            check::<LiarsDice>(*rules, players, |game, action| match action {
                Action::Call => true,
                Action::Bid(bid) => {
                    let dice = game.hands().iter().map(|hand| hand.faces().len() as u32);
                    bid.count() <= dice.sum()
                }
            });
        }
    }
}

#[test]
fn what_has_no_number_is_not_encoded() {
    let keep = Keep::new([3, 0]).expect("two dice");
    assert_eq!(Yahtzee::encode(&yahtzee::Action::Keep(keep)), None, "dice in another order");
    assert_eq!(LiarsDice::encode(&"26 1".parse().expect("a bid")), None);
    assert_eq!(LiarsDice::encode(&"25 6".parse().expect("a bid")), Some(149));
    assert_eq!(LiarsDice::encode(&Action::Call), Some(150));
    assert_eq!((Yahtzee::decode(45), LiarsDice::decode(151)), (None, None));
}
