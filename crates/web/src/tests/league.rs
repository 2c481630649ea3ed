//! The board of a hill of duels after an entrant was placed.

use std::sync::Arc;

use dicehill_arena::{Entrant, FormatName, HillDraft};
use dicehill_bots::{HouseBot, liars_dice_bots};
use dicehill_rules::liars_dice::LiarsDice;

use super::test_hill::{TestHill, failing, yahtzee};
use crate::hills::{Hills, Snapshot};
use crate::model::RunState;
use crate::news::post::post;
use crate::pages::board::run_page;
use crate::pages::hill::{Visit, hill_page};

fn entrants(names: &[&str]) -> Vec<Entrant<LiarsDice>> {
    let bot = |name: &&str| {
        let house = liars_dice_bots().into_iter().find(|house| house.name() == *name);
        house.map(HouseBot::entrant).expect("a house bot")
    };
    names.iter().map(bot).collect()
}

fn duel(names: &[&str]) -> HillDraft<LiarsDice> {
    let draft = HillDraft::challenge(entrants(names), "s");
    HillDraft { format: FormatName::Duel, games: 6, ..draft }
}

/// A placement of the last of these bots.
fn placement(names: &[&str]) -> HillDraft<LiarsDice> {
    let challenger = names.last().map(|name| (*name).to_owned());
    let format = FormatName::Gauntlet;
    let strengths = Some(vec![0.0; names.len()]);
    HillDraft { format, challenger, strengths, ..duel(names) }
}

fn snapshot(hill: &TestHill) -> (Hills, Arc<Snapshot>) {
    let hills = Hills::open(std::slice::from_ref(&hill.path)).expect("a hill");
    let snapshot = hills.all()[0].latest();
    (hills, snapshot)
}

#[test]
fn the_league_shows_the_placed_entrant() {
    let hill = TestHill::played(duel(&["random", "pirate", "badnomial"]), true);
    let (_, before) = snapshot(&hill);
    hill.play_again(placement(&["random", "pirate", "badnomial", "honest"]));
    let (hills, snapshot) = snapshot(&hill);
    let document = &snapshot.hill;
    let board = document.board.as_ref().expect("a board");
    assert_eq!((board.run, board.format.as_str()), (1, "duel"));
    assert_eq!(board.rows.len(), 4);
    let ranks: Vec<_> = board.rows.iter().map(|row| row.rank).collect();
    assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(4)]);
    let row = board.rows.iter().find(|row| row.bot == "honest").expect("the placed entrant");
    let placed = row.placed.as_ref().expect("it was placed");
    assert_eq!((placed.run, placed.among, placed.games), (2, 4, row.games));
    assert!(board.champion.is_some(), "a league has a champion");
    assert_eq!(document.summary.champion, board.champion);
    assert_eq!(before.hill.board.as_ref().expect("a board").rows.len(), 3);
    // The history begins with the newest run, the placement.
    let line = document.history[0].placed.as_ref().expect("a placement");
    assert_eq!((line.bot.as_str(), line.rank), ("honest", row.rank));
    assert_eq!(document.placement.as_ref().map(|placement| placement.run), None);
    // The placement is a run of its own, which has the entrant's page.
    let run = hills.run("spring", 2).expect("a run");
    assert!(run.board.champion.is_none());
    let ranks: Vec<_> = run.board.rows.iter().map(|row| (row.bot.as_str(), row.rank)).collect();
    assert_eq!(ranks[0], ("honest", line.rank));
    assert!(ranks[1..].iter().all(|(_, rank)| rank.is_none()), "{ranks:?}");
    let served = &hills.all()[0];
    assert_eq!(served.displayed_run(Some("honest")).expect("a run"), 2);
    assert_eq!(served.displayed_run(Some("pirate")).expect("a run"), 1);
    let page = hill_page(document, Visit { accepts: false, origin: None }).into_string();
    assert!(page.contains("/hills/spring/runs/2/bots/honest"), "{page}");
    assert!(!page.contains("No champion"), "{page}");
    assert!(page.contains("was placed among 4"), "{page}");
    // Its own page says who was placed, not that there is no champion.
    let page = run_page(&run.board, "spring", None).into_string();
    assert!(page.contains("honest was placed as number"), "{page}");
    assert!(!page.contains("No champion"), "{page}");
}

#[test]
fn the_post_of_a_run_that_has_not_ended_says_so() {
    let hill = TestHill::played(duel(&["random", "pirate"]), true);
    let (_, snapshot) = snapshot(&hill);
    let mut board = snapshot.hill.board.clone().expect("a board");
    assert!(post(&board, None).contains("Champion: **"));
    board.champion = None;
    assert!(post(&board, None).contains("No champion. 6 games."), "{}", post(&board, None));
    (board.progress.state, board.progress.games) = (RunState::Stopped, 4);
    assert!(post(&board, None).contains("\nNot ended: 4 of 6 games.\n"), "{}", post(&board, None));
}

#[test]
fn a_bot_that_is_barred_in_its_placement_is_not_placed() {
    let duel = || HillDraft { format: FormatName::Duel, games: 6, ..yahtzee("s") };
    let hill = TestHill::played(duel(), true);
    let (_, before) = snapshot(&hill);
    let mut draft = duel();
    let inner = Arc::clone(&draft.entrants[0].program);
    draft.entrants.push(failing("Cr", &inner, |_| true));
    (draft.format, draft.challenger) = (FormatName::Gauntlet, Some("Cr".to_owned()));
    draft.strengths = Some(vec![0.0; draft.entrants.len()]);
    hill.play_again(draft);
    let (hills, snapshot) = snapshot(&hill);
    let document = &snapshot.hill;
    assert!(before.hill.summary.champion.is_some());
    assert_eq!(document.summary.champion, before.hill.summary.champion);
    let rows = &document.board.as_ref().expect("a board").rows;
    let last = rows.last().expect("four rows");
    assert_eq!((rows.len(), last.bot.as_str(), last.rank), (4, "Cr", None), "{rows:#?}");
    assert!(last.barred.is_some());
    let line = document.history[0].placed.as_ref().expect("a placement");
    assert_eq!((line.bot.as_str(), line.rank, line.among), ("Cr", None, 4));
    assert!(document.changes.iter().all(|change| change.bot.as_deref() != Some("Cr")));
    let run = hills.run("spring", 2).expect("a run");
    assert!(run.board.rows.iter().all(|row| row.rank.is_none()));
    assert!(run.board.notes.is_empty(), "{:?}", run.board.notes);
    let news = crate::news::item::news(&snapshot);
    assert_eq!(news[0].title, "Run 2: Cr was barred before its rank was found");
    let post = post(&run.board, None);
    assert!(post.contains("\n\nCr was barred before its rank was found. "), "{post}");
    let page = hill_page(document, Visit { accepts: false, origin: None }).into_string();
    assert!(!page.contains("placed"), "{page}");
}

#[test]
fn a_whole_run_replaces_the_league() {
    let hill = TestHill::played(duel(&["random", "pirate", "badnomial"]), true);
    let all = ["random", "pirate", "badnomial", "honest"];
    hill.play_again(placement(&all));
    std::fs::remove_file(hill.log.with_extension("next")).expect("it is ours");
    hill.play_again(duel(&all));
    let (_hills, snapshot) = snapshot(&hill);
    let board = snapshot.hill.board.as_ref().expect("a board");
    assert_eq!(board.run, 3);
    assert!(board.rows.iter().all(|row| row.placed.is_none()));
}
