//! `duelist` beats published bots, and acts legally against any bids.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{
    Bot, Failure, FormatName, Hill, HillDraft, Jobs, Program, RunEnd, RunOptions, run,
};
use dicehill_bots::{HouseBot, liars_dice_bots};
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules, View};

use crate::absurd::Absurd;
use crate::legality::check_legality;

const OURS: &str = "duelist";

fn house(name: &str) -> HouseBot<LiarsDice> {
    liars_dice_bots().into_iter().find(|bot| bot.name() == name).expect("a house bot")
}

/// `least` of 60 games is two standard errors below the win rate that was measured in thousands of games.
#[track_caller]
fn check_wins(other: &str, least: u64) {
    let entrants = [OURS, other].map(|name| house(name).entrant()).into();
    let draft = HillDraft::challenge(entrants, "duelist");
    let draft = HillDraft { format: FormatName::Duel, seats: Some(2), games: 60, ..draft };
    let hill = Hill::new(draft).expect("a hill of house bots");
    let options = RunOptions {
        jobs: Jobs::Exactly(2),
        max_play_offs: 0,
        stop: &AtomicBool::new(false),
        deadline: None,
    };
    let RunEnd::Done(document) = run(&hill, options, &mut |_| Ok(())).expect("nothing is stored")
    else {
        panic!("the run is not stopped");
    };
    let ours = document.standings.iter().find(|row| row.bot == OURS).expect("it played");
    assert!(ours.wins >= least, "{} of {} against {other}", ours.wins, ours.games);
}

#[test]
fn it_beats_the_straight_shooter() {
    check_wins("straight-shooter", 46);
}

#[test]
fn it_beats_the_pirate() {
    check_wins("pirate", 40);
}

/// Always calls, which is illegal as the first action of a round.
struct AlwaysCalls;

impl Program<LiarsDice> for AlwaysCalls {
    fn identity(&self) -> String {
        "test:hasty".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<LiarsDice>> {
        Box::new(Self)
    }
}

impl Bot<LiarsDice> for AlwaysCalls {
    fn act(&mut self, _: &View<'_>) -> Result<Action, Failure> {
        Ok(Action::Call)
    }
}

#[track_caller]
fn check_against(opponents: &[Arc<dyn Program<LiarsDice>>], least: u64) {
    let ours: Arc<dyn Program<LiarsDice>> = Arc::new(house(OURS));
    check_legality(LiarsDiceRules::Official, &ours, opponents, 200, least);
}

#[test]
fn it_acts_legally_in_a_duel() {
    check_against(&[Arc::new(Absurd::default())], 2000);
}

/// After an elimination, two may play on with fewer than ten dice, or with ten in divisions that a duel does not begin with.
#[test]
fn it_acts_legally_after_an_elimination() {
    check_against(&[Arc::new(Absurd::default()), Arc::new(AlwaysCalls)], 1000);
}
