//! Identities that hold for every set of Liar's Dice: the sums of the published board, game by game.

use dicehill_arena::{Entrant, HillDraft, Move, Replay, read_game_line};
use dicehill_bots::{HouseBot, liars_dice_bots};
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules};
use dicehill_rules::{Chance, Game, SeatResult};

use crate::house_run::{named, play};

const SEED: &str = "a set";

/// Sums over seats.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Sums {
    points: u64,
    wins: u64,
    turns: u64,
    calls: u64,
    dice_gained: u64,
}

impl Sums {
    fn add(&mut self, result: &SeatResult) {
        let [turns, calls, dice_gained, _] = result.figures;
        self.points += result.points;
        self.wins += u64::from(result.won);
        self.turns += turns;
        self.calls += calls;
        self.dice_gained += dice_gained;
    }

    fn check(self) {
        assert_eq!(self.points, 1000 * self.wins + self.turns + 10 * self.calls, "{self:?}");
        assert_eq!(self.dice_gained, self.calls, "{self:?}");
    }
}

/// Checks the identities for a set and for each of its games.
fn check(rules: LiarsDiceRules, entrants: Vec<Entrant<LiarsDice>>, games: i64) -> Sums {
    let draft = HillDraft { rules, games, ..HillDraft::challenge(entrants, SEED) };
    let chance = Chance::new(SEED);
    let mut set = Sums::default();
    let lines = play(draft, 2).lines;
    assert_eq!(lines.len() as i64, games);
    for line in lines {
        let game = read_game_line::<LiarsDice>(&line, rules, &chance).expect("it replays");
        let sums = check_game(&game);
        set.points += sums.points;
        set.wins += sums.wins;
        set.turns += sums.turns;
        set.calls += sums.calls;
        set.dice_gained += sums.dice_gained;
    }
    set.check();
    set
}

/// Checks that the figures follow from the moves.
fn check_game(game: &Replay<LiarsDice>) -> Sums {
    let mut sums = Sums::default();
    game.results.iter().for_each(|result| sums.add(result));
    sums.check();
    let calls = game.moves.iter().filter(|one| **one == Move::Acted(Action::Call)).count();
    assert_eq!((sums.turns, sums.calls), (game.moves.len() as u64, calls as u64));
    assert!(sums.wins == 1 || (sums.wins == 0 && sums.turns == 5000), "{sums:?}");
    for result in &game.results {
        let [turns, _, dice_gained, _] = result.figures;
        let bonus = if result.won { 1000 } else { 0 };
        assert_eq!(result.points, turns + 10 * dice_gained + bonus);
    }
    sums
}

#[test]
fn a_set_of_all_house_bots_satisfies_the_identities() {
    for rules in LiarsDice::RULES {
        let entrants = liars_dice_bots().map(HouseBot::entrant).into();
        let sums = check(*rules, entrants, 300);
        assert!(sums.wins > 250);
    }
}

#[test]
fn a_set_of_the_published_bots_satisfies_the_identities() {
    let published = ["badnomial", "nobody", "pirate", "straight-shooter"];
    let entrants = published.map(|house| named(liars_dice_bots(), house, house));
    let sums = check(LiarsDiceRules::Official, entrants.into(), 1000);
    assert!(sums.wins > 900);
}
