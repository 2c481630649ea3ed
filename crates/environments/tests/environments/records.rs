//! The arena's judge gives the same games for the same actions.

use dicehill_arena::{Move, Play};
use dicehill_environments::{EnvironmentGame, VectorOptions};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Game, PublicInfo, Seat};

use crate::support::Caller;

const ENVIRONMENTS: usize = 7;

/// The seats and actions of a game.
type Actions<G> = Vec<(Seat, <G as Game>::Action)>;

/// Judges the actions of a game, and compares what each player got.
fn check_game<G: EnvironmentGame>(
    rules: G::Rules,
    game: u64,
    actions: &Actions<G>,
    rewards: &[f32],
) {
    let names = vec!["player"; rewards.len()];
    let public = PublicInfo { names, points: Vec::new() };
    let table = Chance::new("records").table(game);
    let mut play = Play::<G>::new(rules, table, rewards.len(), public);
    for (seat, action) in actions {
        assert_eq!(play.turn().map(|(seat, _)| seat), Some(*seat));
        play.answer(Ok(action.clone()));
    }
    assert!(play.turn().is_none(), "the game is over");
    let moves: Vec<_> = actions.iter().map(|(_, action)| Move::Acted(action.clone())).collect();
    assert_eq!(play.moves(), moves);
    for (seat, reward) in Seat::all(rewards.len()).zip(rewards) {
        assert_eq!(play.game().result(seat).points as f32, *reward);
    }
}

/// Plays on until each environment has played some games.
fn check<G: EnvironmentGame>(rules: G::Rules, players: usize, reward: G::Reward, games: usize) {
    let options = VectorOptions::<G>::new(ENVIRONMENTS, players, "records");
    let mut caller = Caller::new(VectorOptions { rules, reward, ..options });
    let mut actions: Vec<Actions<G>> = vec![Vec::new(); ENVIRONMENTS];
    let mut played = [0; ENVIRONMENTS];
    while *played.iter().min().expect("some environments") < games {
        let chosen = caller.actions();
        for (index, action) in chosen.iter().enumerate() {
            let seat = Seat::new(u16::from(caller.arrays.seats[index]));
            actions[index].push((seat, G::decode(*action as usize).expect("an action").clone()));
        }
        caller.step(&chosen);
        for index in (0..ENVIRONMENTS).filter(|index| caller.arrays.dones[*index] == 1) {
            let number = (1 + index + ENVIRONMENTS * played[index]) as u64;
            check_game::<G>(
                rules,
                number,
                &std::mem::take(&mut actions[index]),
                caller.rewards(index),
            );
            played[index] += 1;
            assert_eq!(caller.environment.game_number(index), number + ENVIRONMENTS as u64);
        }
    }
}

#[test]
fn yahtzee_games_are_those_of_the_judge() {
    for rules in Yahtzee::RULES {
        for players in [1, 2, 5] {
            check::<Yahtzee>(*rules, players, dicehill_environments::YahtzeeReward::Points, 20);
        }
    }
}

#[test]
fn liars_dice_games_are_those_of_the_judge() {
    for rules in LiarsDice::RULES {
        for players in 2..=5 {
            check::<LiarsDice>(*rules, players, LiarsDice::default_reward(players), 30);
        }
    }
}
