//! The observation after a game's end is that of the next game's start.

use dicehill_environments::liars_dice::layout as dice_layout;
use dicehill_environments::yahtzee::layout as card_layout;
use dicehill_environments::{EnvironmentGame, VectorOptions};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, PublicInfo};

use crate::protocol::observed;
use crate::support::{Caller, UNWRITTEN};

const ENVIRONMENTS: usize = 5;

/// Checks some ends of games; `check_last` gets the final observation, the rewards and the seat that acted.
fn check<G: EnvironmentGame>(players: usize, check_last: fn(&[u8], &[f32], usize)) {
    let mut caller = Caller::new(VectorOptions::<G>::new(ENVIRONMENTS, players, "ends"));
    let mut ends = 0;
    while ends < 50 {
        caller.arrays.last.fill(UNWRITTEN);
        let seats = caller.arrays.seats.clone();
        caller.step(&caller.actions());
        for (index, seat) in seats.into_iter().enumerate() {
            if caller.arrays.dones[index] == 0 {
                assert!(caller.last(index).iter().all(|byte| *byte == UNWRITTEN));
                assert!(caller.rewards(index).iter().all(|reward| *reward == 0.0));
                continue;
            }
            let table = Chance::new("ends").table(caller.environment.game_number(index));
            let next = G::new(G::Rules::default(), players, &table);
            let public = PublicInfo::default();
            let (observation, mask) =
                observed::<G>(&next.view(&public).expect("a new game"), players);
            assert_eq!(caller.observation(index), observation);
            assert_eq!(caller.mask(index), mask);
            assert_eq!(caller.arrays.seats[index], 0);
            check_last(caller.last(index), caller.rewards(index), usize::from(seat));
            ends += 1;
        }
    }
}

fn word(bytes: &[u8], offset: usize) -> f32 {
    f32::from(u16::from_le_bytes([bytes[offset], bytes[offset + 1]]))
}

#[test]
fn a_game_of_yahtzee_is_followed_by_the_next() {
    check::<Yahtzee>(1, |last, rewards, _| {
        assert_eq!(last[card_layout::ROUND], 14);
        assert_eq!(word(last, card_layout::SCORE), rewards[0]);
        assert!(last[card_layout::LEGAL..card_layout::UPPER].iter().all(|score| *score == 0));
    });
    check::<Yahtzee>(3, |last, rewards, seat| {
        let (own, best) = (word(last, card_layout::SCORE), word(last, card_layout::SCORES + 4));
        assert_eq!(f32::from(own == best), rewards[seat]);
    });
}

#[test]
fn a_game_of_liars_dice_is_followed_by_the_next() {
    for players in 2..=5 {
        check::<LiarsDice>(players, |last, rewards, seat| {
            assert_eq!(last[dice_layout::PLAYERS], 1);
            assert_eq!(word(last, dice_layout::POINTS), rewards[seat]);
            assert!(last[dice_layout::BID_COUNT] > 0, "the bids of the last round");
        });
    }
}

#[test]
fn a_reset_begins_the_next_games_and_a_seed_begins_again() {
    let mut caller = Caller::new(VectorOptions::<Yahtzee>::new(ENVIRONMENTS, 1, "ends"));
    let first = caller.arrays.clone();
    assert_eq!(caller.environment.game_number(2), 3);
    caller.reset();
    assert_eq!(caller.environment.game_number(2), 8);
    assert_ne!(caller.arrays, first);
    caller.environment.reseed("ends");
    caller.reset();
    assert_eq!(caller.environment.game_number(2), 3);
    assert_eq!(caller.arrays.observations, first.observations);
}
