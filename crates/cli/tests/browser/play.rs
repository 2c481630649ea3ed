//! Whole games that a person plays against house bots by clicks.

use serde_json::json;

use crate::browser::chromium::Chromium;
use crate::browser::page_checks::is_sound;
use crate::browser::play_page::{IS_QUIET, acts, is_asked, last_bid, makes_a_table};
use crate::browser::test_server::TestServer;

/// Those who do not see hear it.
fn is_said(browser: &Chromium, words: &str) {
    let said = browser.text("#said");
    assert!(said.contains(words), "{said:?}");
}

/// The hints are a table with the best first.
fn hints_are_given(browser: &Chromium) {
    assert!(!browser.has("#hints"));
    browser.click("#hint");
    browser.until(&format!("{IS_QUIET} && document.querySelector('#hints tbody tr')"));
    is_said(browser, &format!("Best: {}", browser.texts("#hints tbody th")[0]));
}

/// The end of a game: who won, the report, and the record, whose moves are opened.
fn is_told(browser: &Chromium, seed: &str) {
    browser.until("document.getElementById('report') && document.getElementById('seed')");
    let winners = browser.texts("#results tbody td:last-child");
    assert!(winners.iter().any(|won| won == "won"), "{winners:?}");
    is_said(browser, "The game is over.");
    let told = browser.text("#seed");
    assert!(!told.is_empty() && (seed.is_empty() || told == seed), "{told:?}");
    assert_eq!(browser.text("#trouble"), "");
    assert!(!browser.has("#roll, #bid, #call, #hint, .box"), "nothing can be done any more");
    browser.click("#moves summary");
    let moves = browser.texts("#moves tbody tr").len();
    assert_eq!(browser.text("#moves summary"), format!("All {moves} moves"));
    assert!(browser.ask("return document.getElementById('moves').open") == true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_game_of_yahtzee_is_played_by_clicks() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    makes_a_table(&browser, "yahtzee", "Ada <b>", &["greedy"]);
    for round in 1..=13 {
        assert!(is_asked(&browser), "the game has 13 rounds");
        assert_eq!(browser.text(".kicker + #turn"), "Your turn");
        assert_eq!(browser.text("#table .kicker"), format!("Round {round} of 13"));
        only_free_boxes_are_offered(&browser, round - 1);
        if round == 1 {
            hints_are_given(&browser);
            is_sound(&browser, "a turn of Yahtzee");
        }
        is_played(&browser, round);
    }
    assert!(!is_asked(&browser), "the game has 13 rounds");
    is_told(&browser, "");
    the_results_are_those_of_the_cards(&browser);
    is_sound(&browser, "the end of a game of Yahtzee");
    browser.click("#again");
    browser.until("location.pathname === '/play'");
    server.is_content();
}

/// Boxes that hold something cannot be filled again, and hold nothing that is offered.
fn only_free_boxes_are_offered(browser: &Chromium, filled: usize) {
    let boxes = browser.ask(
        "return [...document.querySelectorAll('.sheet tbody tr')].map((row) =>
            [row.cells[1].textContent !== '', row.querySelector('button:not(:disabled)') !== null])",
    );
    let boxes = boxes.as_array().expect("a list");
    assert_eq!(boxes.len(), 13);
    assert_eq!(boxes.iter().filter(|one| one[0] == true).count(), filled, "{boxes:?}");
    assert!(!boxes.contains(&json!([true, true])), "{boxes:?}");
    assert!(boxes.contains(&json!([false, true])), "{boxes:?}");
}

/// A turn: the first die is kept, the others are rolled twice, and a box is filled.
fn is_played(browser: &Chromium, round: usize) {
    let first = "return document.querySelector('.tray .places').children[0].ariaLabel.at(-1)";
    let pips = browser.ask_text(first);
    browser.click("#die-1");
    assert!(browser.has("#die-1[aria-pressed=true]"));
    if round == 1 {
        rolling_nothing_is_not_offered(browser);
    }
    for rolls_left in [1, 0] {
        browser.click("#roll");
        assert!(is_asked(browser));
        assert_eq!(browser.ask_text(first), pips, "what was kept stays");
        assert_eq!(browser.has("#roll"), rolls_left > 0);
    }
    assert!(!browser.has("#die-1"), "no dice can be kept for no roll");
    browser.click("button.box");
}

fn rolling_nothing_is_not_offered(browser: &Chromium) {
    let others = [2, 3, 4, 5].map(|die| format!("#die-{die}"));
    others.iter().for_each(|die| browser.click(die));
    assert!(browser.has("#roll:disabled"));
    others.iter().for_each(|die| browser.click(die));
    assert!(browser.has("#roll:enabled") && browser.text("#roll") == "Roll 4 dice");
}

/// Each player's score, in the table of results and at the end of its card.
fn the_results_are_those_of_the_cards(browser: &Chromium) {
    let scores = browser.texts("#results tbody td:first-of-type");
    let cards = browser.texts("section[aria-labelledby=cards-title] tfoot tr:last-child td");
    assert!(scores.len() == 2 && scores == cards, "{scores:?}, {cards:?}");
    let reported = browser.texts("section[aria-labelledby=report] tbody td:first-of-type");
    assert_eq!(reported[..2], scores);
    let names = browser.texts("#results tbody th");
    assert!(names.contains(&"Ada <b> (you)".to_owned()), "{names:?}");
}

#[test]
fn a_game_of_liars_dice_is_played_by_clicks() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    browser.click("#form-liars-dice details:first-of-type summary");
    browser.type_into("#seed-liars-dice", "clicks");
    makes_a_table(&browser, "liars-dice", "Ada <b>", &["badnomial"]);
    let (mut bids, mut calls) = (0, 0);
    while is_asked(&browser) {
        let turns = bids + calls;
        let bid = last_bid(&browser);
        only_higher_bids_are_offered(&browser, bid);
        if turns == 0 {
            hints_are_given(&browser);
            is_sound(&browser, "a turn of Liar's Dice");
        }
        assert_eq!(browser.has("#call"), bid.is_some(), "there is a bid to call or none");
        match bid {
            Some((count, _)) if count > 2 => {
                calls += 1;
                acts(&browser, "#call");
            }
            _ => {
                bids += 1;
                acts(&browser, "#bid");
            }
        }
        assert!(turns < 100, "it goes on and on");
    }
    assert!(bids > 0 && calls > 0, "{bids} bids, {calls} calls");
    is_told(&browser, "clicks");
    let results = browser.texts("#results tbody tr");
    assert_eq!(results.len(), 2, "{results:?}");
    browser.click("#log summary");
    let last = browser.text("#log li:first-child bdi");
    assert!(!last.is_empty());
    is_sound(&browser, "the end of a game of Liar's Dice");
    server.is_content();
}

/// Goes through the lowest counts of the form: only faces that make a higher bid can be chosen.
fn only_higher_bids_are_offered(browser: &Chromium, last: Option<(u64, u64)>) {
    let counts = browser.texts("#bid-count option");
    for count in counts.iter().take(2).rev() {
        browser.choose("#bid-count", count);
        let count = count.parse().expect("a number");
        let is_offered = |face: &u64| browser.has(&format!("#face-{face}:enabled"));
        let offered: Vec<_> = (1..=6).filter(is_offered).collect();
        let higher: Vec<_> = (1..=6).filter(|face| last < Some((count, *face))).collect();
        assert!(!offered.is_empty() && offered == higher, "{offered:?} of {count} above {last:?}");
    }
}
