//! House bots as opponents.

use dicehill_environments::{
    EnvironmentGame, LEARNER, LearnerSeat, LiarsDiceReward, OptionsError, VectorEnvironment,
    VectorOptions, YahtzeeReward,
};
use dicehill_rules::liars_dice::LiarsDice;
use dicehill_rules::yahtzee::Yahtzee;
use dicehill_rules::{Chance, Seat};

use crate::support::Caller;

fn against<G: EnvironmentGame>(opponents: &[&str]) -> VectorOptions<G> {
    let opponents: Vec<_> = opponents.iter().map(|name| (*name).to_owned()).collect();
    VectorOptions {
        opponents: opponents.clone(),
        ..VectorOptions::new(6, opponents.len() + 1, "opponents")
    }
}

#[test]
fn a_fixed_seat_is_kept() {
    for seat in 0..3 {
        let seating = LearnerSeat::Fixed(seat);
        let options = VectorOptions { seating, ..against::<LiarsDice>(&["honest", "pirate"]) };
        let mut caller = Caller::new(options);
        for _ in 0..200 {
            assert!(caller.arrays.seats.iter().all(|acting| usize::from(*acting) == seat));
            caller.step(&caller.actions());
        }
        let players = Seat::all(3).map(|seat| caller.environment.player(0, seat));
        let mut expected = vec![1, 2];
        expected.insert(seat, 0);
        assert_eq!(players.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn drawn_seats_are_in_the_order_of_the_arenas_keys() {
    let environment = VectorEnvironment::new(against::<LiarsDice>(&["honest", "honest"]));
    let (environment, chance) = (environment.expect("options"), Chance::new("opponents"));
    for index in 0..6 {
        let mut players = [0, 1, 2];
        let names = [LEARNER, "honest", "honest 2"];
        let game = environment.game_number(index);
        players.sort_by_key(|player| chance.seat_key(game, names[*player]));
        let found: Vec<_> = Seat::all(3).map(|seat| environment.player(index, seat)).collect();
        assert_eq!(found, players);
    }
}

/// Every house bot plays some games to their ends.
fn check_all<G: EnvironmentGame>(players: usize, steps: usize) {
    for bot in G::house_bots() {
        let mut caller = Caller::new(VectorOptions {
            environments: 2,
            ..against::<G>(&vec![bot.name(); players - 1])
        });
        for _ in 0..steps {
            caller.step(&caller.actions());
        }
    }
}

#[test]
fn every_house_bot_for_liars_dice_plays() {
    check_all::<LiarsDice>(2, 60);
    check_all::<LiarsDice>(3, 60);
}

/// `winner` solves contests first, which takes long: it is left out here.
#[test]
fn house_bots_for_yahtzee_play() {
    for name in ["aces-and-eights", "dummy", "greedy", "random", "optimal"] {
        let mut caller =
            Caller::new(VectorOptions { environments: 2, ..against::<Yahtzee>(&[name]) });
        for _ in 0..90 {
            caller.step(&caller.actions());
        }
    }
}

#[test]
fn one_player_wins_each_game() {
    let reward = LiarsDiceReward::Win;
    let options = VectorOptions { reward, ..against::<LiarsDice>(&["random"]) };
    let mut caller = Caller::new(options);
    let (mut games, mut won) = (0, 0);
    while games < 100 {
        caller.step(&caller.actions());
        for index in (0..6).filter(|index| caller.arrays.dones[*index] == 1) {
            assert_eq!(caller.rewards(index).iter().sum::<f32>(), 1.0);
            won += usize::from(caller.rewards(index)[0] == 1.0);
            games += 1;
        }
    }
    assert!((20..80).contains(&won), "both play at random: the learner won {won} games");
}

fn check_error<G: EnvironmentGame>(options: VectorOptions<G>, message: &str) {
    let error: OptionsError = VectorEnvironment::new(options).err().expect("inconsistent options");
    assert_eq!(error.to_string(), message);
}

#[test]
fn inconsistent_options_are_refused() {
    let dice = |n, players| VectorOptions::<LiarsDice>::new(n, players, "options");
    check_error(dice(0, 2), "0 environments: at least 1 is needed");
    check_error(dice(1, 6), "6 players, not 2 to 5");
    let known = "badnomial, bayes, duelist, honest, nobody, pirate, random, seer, straight-shooter";
    let message = format!("no such house bot: \"honst\"; the house bots are {known}");
    check_error(against::<LiarsDice>(&["honst"]), &message);
    let options = VectorOptions { players: 4, ..against::<LiarsDice>(&["honest"]) };
    check_error(options, "1 opponents at a table of 4, not 3 or none");
    let options = VectorOptions { seating: LearnerSeat::Fixed(2), ..dice(1, 2) };
    check_error(options, "no such seat: 2; seats are 0 to 1");
    let reward = YahtzeeReward::LuckAdjusted;
    let options = VectorOptions { reward, ..VectorOptions::<Yahtzee>::new(1, 2, "options") };
    check_error(options, "the luck-adjusted reward is for one player, not for 2");
}
