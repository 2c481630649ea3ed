//! Our player for two at Liar's Dice beats the published ones, and acts legally whatever is bid.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dicehill_arena::{Bot, Failure, FormatName, Hill, HillDraft, Program, RunEnd, RunOptions, run};
use dicehill_bots::{House, liars_dice_bots};
use dicehill_rules::liars_dice::{Action, LiarsDice, LiarsDiceRules, View};

use crate::absurd::Absurd;
use crate::legality::check_legality;

const OURS: &str = "duelist";

fn house(name: &str) -> House<LiarsDice> {
    liars_dice_bots().into_iter().find(|bot| bot.name() == name).expect("a house bot")
}

/// Games of 60 that our player wins, with a share that leaves two standard errors below what it wins of thousands.
#[track_caller]
fn check_wins(other: &str, least: u64) {
    let entrants = [OURS, other].map(|name| house(name).entrant()).into();
    let draft = HillDraft::challenge(entrants, "duelist");
    let draft = HillDraft { format: FormatName::Duel, seats: Some(2), games: 60, ..draft };
    let hill = Hill::new(draft).expect("a hill of house bots");
    let options = RunOptions { jobs: 2, most_play_offs: 0, stop: &AtomicBool::new(false) };
    let RunEnd::Done(document) = run(&hill, options, &mut |_| Ok(())).expect("nothing is stored")
    else {
        panic!("nobody stops the run");
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

/// Calls at once, which is illegal as a round's first action.
struct Hasty;

impl Program<LiarsDice> for Hasty {
    fn identity(&self) -> String {
        "test:hasty".to_owned()
    }

    fn bot(&self) -> Box<dyn Bot<LiarsDice>> {
        Box::new(Self)
    }
}

impl Bot<LiarsDice> for Hasty {
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
fn it_acts_legally_between_two() {
    check_against(&[Arc::new(Absurd::default())], 2000);
}

/// Somebody drops out, so that two play on with fewer than ten dice, or with ten that are more for one than it began with.
#[test]
fn it_acts_legally_when_others_drop_out() {
    check_against(&[Arc::new(Absurd::default()), Arc::new(Hasty)], 1000);
}
