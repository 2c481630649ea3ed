//! Our player for two at Liar's Dice beats the published ones.

use std::sync::atomic::AtomicBool;

use dicehill_arena::{FormatName, Hill, HillDraft, RunEnd, RunOptions, run};
use dicehill_bots::{House, liars_dice_bots};
use dicehill_rules::liars_dice::LiarsDice;

const OURS: &str = "duelist";

fn house(name: &str) -> House<LiarsDice> {
    liars_dice_bots().into_iter().find(|bot| bot.name() == name).expect("a house bot")
}

/// Games of 60 that our player wins, with a share that leaves three standard errors below what it wins of thousands.
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
