//! Whole games of a person against house bots, by clicks.

use serde_json::json;

use crate::browser::chromium::Chromium;
use crate::browser::page_checks::check_page;
use crate::browser::play_page::{
    IS_IDLE, click_and_wait, create_table, keep_announcements, last_bid, wait_for_turn,
};
use crate::browser::test_server::TestServer;

/// Expects these words in the announcement for screen readers.
fn check_announcement(browser: &Chromium, words: &str) {
    let announcement = browser.text("#said");
    assert!(announcement.contains(words), "{announcement:?}");
}

/// Expects a table of hints with the best one first.
fn check_hints(browser: &Chromium) {
    assert!(!browser.has("#hints"));
    browser.click("#hint");
    browser.wait_until(&format!("{IS_IDLE} && document.querySelector('#hints tbody tr')"));
    check_announcement(browser, &format!("Best: {}", browser.texts("#hints tbody th")[0]));
}

/// Expects the end of a game: the winner, the report, and the record with all moves.
fn check_end(browser: &Chromium, seed: &str) {
    browser.wait_until("document.getElementById('report') && document.getElementById('seed')");
    let winners = browser.texts("#results tbody td:last-child");
    assert!(winners.iter().any(|won| won == "won"), "{winners:?}");
    check_announcement(browser, "The game is over.");
    let shown_seed = browser.text("#seed");
    assert!(!shown_seed.is_empty() && (seed.is_empty() || shown_seed == seed), "{shown_seed:?}");
    assert_eq!(browser.text("#trouble"), "");
    assert!(!browser.has("#roll, #bid, #call, #hint, .box"), "nothing can be done any more");
    browser.click("#moves summary");
    let moves = browser.texts("#moves tbody tr").len();
    assert_eq!(browser.text("#moves summary"), format!("All {moves} moves"));
    assert!(browser.evaluate("return document.getElementById('moves').open") == true);
    assert_eq!(browser.console_problems(), Vec::<String>::new());
}

#[test]
fn yahtzee_can_be_played_by_clicks() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    create_table(&browser, "yahtzee", "Ada <b>", &["greedy"]);
    for round in 1..=13 {
        assert!(wait_for_turn(&browser), "the game has 13 rounds");
        assert_eq!(browser.text(".whose #turn"), "Your turn");
        assert_eq!(browser.text("#table .kicker"), format!("Round {round} of 13"));
        check_free_boxes(&browser, round - 1);
        if round == 1 {
            check_hints(&browser);
            check_page(&browser, "a turn of Yahtzee");
        }
        play_turn(&browser, round);
    }
    assert!(!wait_for_turn(&browser), "the game has 13 rounds");
    check_end(&browser, "");
    check_scores(&browser);
    check_page(&browser, "the end of a game of Yahtzee");
    browser.click("#again");
    browser.wait_until("location.pathname === '/play'");
    server.expect_no_warnings();
}

/// Filled boxes cannot be filled again.
fn check_free_boxes(browser: &Chromium, filled: usize) {
    let boxes = browser.evaluate(
        "return [...document.querySelectorAll('.sheet tbody tr')].map((row) =>
            [row.classList.contains('filled'), row.querySelector('button:not(:disabled)') !== null])",
    );
    let boxes = boxes.as_array().expect("a list");
    assert_eq!(boxes.len(), 13);
    assert_eq!(boxes.iter().filter(|one| one[0] == true).count(), filled, "{boxes:?}");
    assert!(!boxes.contains(&json!([true, true])), "{boxes:?}");
    assert!(boxes.contains(&json!([false, true])), "{boxes:?}");
}

/// Plays a turn: keeps the first die, rolls the others twice, and fills a box.
fn play_turn(browser: &Chromium, round: usize) {
    let first = "return document.querySelector('.tray .places').children[0].ariaLabel.at(-1)";
    let pips = browser.evaluate_text(first);
    browser.click("#die-1");
    assert!(browser.has("#die-1[aria-pressed=true]"));
    if round == 1 {
        check_empty_roll(browser);
    }
    for rolls_left in [1, 0] {
        browser.click("#roll");
        assert!(wait_for_turn(browser));
        assert_eq!(browser.evaluate_text(first), pips, "what was kept stays");
        assert_eq!(browser.has("#roll"), rolls_left > 0);
    }
    assert!(!browser.has("#die-1"), "no dice can be kept for no roll");
    check_announcement(browser, "That was the last roll: fill a box.");
    check_announced_points(browser);
}

/// Expects the points of a box that is filled to be announced, with the score.
fn check_announced_points(browser: &Chromium) {
    keep_announcements(browser);
    let label = browser.evaluate_text("return document.querySelector('button.box').ariaLabel");
    browser.click("button.box");
    let (title, points) = label
        .strip_prefix("Fill ")
        .and_then(|label| label.split_once(" for "))
        .unwrap_or_else(|| panic!("{label:?} is no box"));
    let heard = format!("{title}: {points}. ");
    browser.wait_until(&format!(
        "heard.some((text) => text.startsWith({heard:?}) && text.includes('Your score is '))"
    ));
}

fn check_empty_roll(browser: &Chromium) {
    let others = [2, 3, 4, 5].map(|die| format!("#die-{die}"));
    others.iter().for_each(|die| browser.click(die));
    assert!(browser.has("#roll:disabled"));
    others.iter().for_each(|die| browser.click(die));
    assert!(browser.has("#roll:enabled") && browser.text("#roll") == "Roll 4 dice");
}

/// Expects equal scores in the results, on the cards and in the report.
fn check_scores(browser: &Chromium) {
    let scores = browser.texts("#results tbody td:first-of-type");
    let cards = browser.texts("section[aria-labelledby=cards-title] tfoot tr:last-child td");
    assert!(scores.len() == 2 && scores == cards, "{scores:?}, {cards:?}");
    let reported = browser.texts("section[aria-labelledby=report] tbody td:first-of-type");
    assert_eq!(reported[..2], scores);
    let names = browser.texts("#results tbody th");
    assert!(names.contains(&"Ada <b> (you)".to_owned()), "{names:?}");
}

#[test]
fn liars_dice_can_be_played_by_clicks() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    browser.click("#form-liars-dice details:has(#seed-liars-dice) summary");
    browser.type_into("#seed-liars-dice", "clicks");
    create_table(&browser, "liars-dice", "Ada <b>", &["badnomial"]);
    let (mut bids, mut calls) = (0, 0);
    while wait_for_turn(&browser) {
        let turns = bids + calls;
        let bid = last_bid(&browser);
        check_offered_bids(&browser, bid);
        if turns == 0 {
            check_hints(&browser);
            check_page(&browser, "a turn of Liar's Dice");
        }
        assert_eq!(browser.has("#call"), bid.is_some(), "there is a bid to call or none");
        match bid {
            Some((count, _)) if count > 2 => {
                calls += 1;
                click_and_wait(&browser, "#call");
            }
            _ => {
                bids += 1;
                click_and_wait(&browser, "#bid");
            }
        }
        assert!(turns < 100, "it goes on and on");
    }
    assert!(bids > 0 && calls > 0, "{bids} bids, {calls} calls");
    check_end(&browser, "clicks");
    let results = browser.texts("#results tbody tr");
    assert_eq!(results.len(), 2, "{results:?}");
    browser.click("#log summary");
    let last = browser.text("#log li:first-child bdi");
    assert!(!last.is_empty());
    check_page(&browser, "the end of a game of Liar's Dice");
    server.expect_no_warnings();
}

/// Expects only faces that make a higher bid to be offered, for the lowest counts of the form.
fn check_offered_bids(browser: &Chromium, last: Option<(u64, u64)>) {
    let limit = |name| {
        browser.evaluate_number(&format!(
            "return Number(document.getElementById('bid-count')?.{name} ?? 0)"
        ))
    };
    let (least, most) = (limit("min"), limit("max"));
    if least == 0 {
        return;
    }
    for count in [(least + 1).min(most), least] {
        browser.evaluate(&format!(
            "const field = document.getElementById('bid-count');
             field.value = {count};
             field.dispatchEvent(new Event('change', {{ bubbles: true }}));"
        ));
        let is_offered = |face: &u64| browser.has(&format!("#face-{face}:enabled"));
        let offered: Vec<_> = (1..=6).filter(is_offered).collect();
        let higher: Vec<_> = (1..=6).filter(|face| last < Some((count, *face))).collect();
        assert!(!offered.is_empty() && offered == higher, "{offered:?} of {count} above {last:?}");
    }
}
