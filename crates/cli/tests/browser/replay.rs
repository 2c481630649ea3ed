//! Replays of games in the browser, move by move.

use fantoccini::key::Key;

use crate::browser::chromium::{Chromium, Window};
use crate::browser::hills;
use crate::browser::test_server::TestServer;

const YAHTZEE: &str = "/hills/yahtzee/runs/1/games/7";
const LIARS_DICE: &str = "/hills/liars-dice/runs/1/games/7";

/// The shown position and the number of positions, according to the page.
#[track_caller]
fn position(browser: &Chromium) -> (usize, usize) {
    let at = browser.text("#at");
    let (at, count) = at.split_once(" of ").expect("a position is one of all");
    (at.parse().expect("a number"), count.parse().expect("a number"))
}

/// Expects a position to be shown by all elements, and to be in the address.
#[track_caller]
fn check_position(browser: &Chromium, number: usize) {
    let (at, count) = position(browser);
    assert_eq!(at, number);
    assert_eq!(
        browser.evaluate_text("return document.getElementById('position').value"),
        at.to_string()
    );
    let current = "return [...document.querySelectorAll('.current')].map((one) => one.id).join()";
    assert_eq!(browser.evaluate_text(current), format!("move-{number}"));
    for (button, is_disabled) in
        [("first", at == 1), ("back", at == 1), ("forward", at == count), ("last", at == count)]
    {
        let disabled = format!("[data-go={button}][aria-disabled={is_disabled}]");
        assert!(browser.has(&disabled), "{disabled} at {number} of {count}");
    }
    browser.wait_until(&format!("location.hash === '#move-{number}'"));
}

/// Steps through a game in every way, and ends at its last position.
#[track_caller]
fn step_through(browser: &Chromium, address: &str) {
    browser.open(address);
    let (at, count) = position(browser);
    assert!(at == 1 && count > 10, "{at} of {count}");
    assert_eq!(browser.text("#said"), "", "nothing is announced before the reader goes to a move");
    browser.click("[data-go=forward]");
    check_position(browser, 2);
    browser.click("[data-go=last]");
    check_position(browser, count);
    browser.click("[data-go=back]");
    check_position(browser, count - 1);
    browser.click("[data-go=first]");
    check_position(browser, 1);
    browser.press(Key::Right);
    check_position(browser, 2);
    browser.press(Key::Right);
    browser.press(Key::Left);
    check_position(browser, 2);
    check_slider(browser, count);
    check_autoplay(browser);
    check_fragments(browser, address, count);
    browser.click("#move-4 a.number");
    check_position(browser, 4);
    // The slider has the focus now, even if the page still scrolls.
    browser.press(Key::End);
    check_position(browser, count);
}

/// A click on the middle of the slider, its own keys, and those that the page adds.
fn check_slider(browser: &Chromium, count: usize) {
    browser.click("#position");
    let (at, _) = position(browser);
    assert!((count / 3..=1 + count * 2 / 3).contains(&at), "{at} of {count}");
    check_position(browser, at);
    browser.press(Key::End);
    check_position(browser, count);
    browser.press(Key::PageDown);
    let (at, _) = position(browser);
    assert!(at < count, "it slides by a part of the game");
    check_position(browser, at);
    browser.press(Key::Home);
    check_position(browser, 1);
}

fn check_autoplay(browser: &Chromium) {
    let play = "[data-go=play]";
    browser.click(play);
    assert_eq!(browser.text(play).trim(), "Pause");
    browser.wait_until("document.getElementById('position').value === '2'");
    browser.click(play);
    assert_eq!(browser.text(play).trim(), "Play");
    let (at, _) = position(browser);
    check_position(browser, at);
}

/// A fragment in the address selects a position: when the page is loaded, when it changes, and if it is out of range.
fn check_fragments(browser: &Chromium, address: &str, count: usize) {
    for (named, shown) in [(5, 5), (count, count), (count + 1000, count)] {
        // Otherwise the page would not be reloaded for a new fragment.
        browser.open("about:blank");
        browser.open(&format!("{address}#move-{named}"));
        assert_eq!(position(browser), (shown, count), "#move-{named}");
    }
    browser.evaluate("location.hash = '#move-3'");
    browser.wait_until("document.getElementById('at').textContent.startsWith('3 ')");
    check_position(browser, 3);
}

/// Labels of dice, in order.
fn dice(browser: &Chromium, selector: &str) -> Vec<String> {
    let labels = format!(
        "return [...document.querySelectorAll('{selector} .dice')]
            .map((one) => one.getAttribute('aria-label')).join('|')"
    );
    browser.evaluate_text(&labels).split('|').map(str::to_owned).collect()
}

#[test]
fn yahtzee_games_can_be_stepped_through() {
    let mut server = TestServer::new(&["yahtzee.db"], hills::yahtzee);
    let browser = server.browser("visitor");
    step_through(&browser, &server.address(YAHTZEE));
    let scores = browser.texts("#cards tfoot td");
    assert_eq!(scores, scores_of_the_result(&browser));
    for number in [1, 6, 20] {
        browser.evaluate(&format!("location.hash = '#move-{number}'"));
        browser.wait_until(&format!(
            "document.getElementById('at').textContent.startsWith('{number} ')"
        ));
        check_position(&browser, number);
        assert_eq!(dice(&browser, "#middle"), dice(&browser, &format!("#move-{number}")));
    }
    check_jumps(&browser);
    check_losses(&browser, " points.");
    check_phone(&browser);
    browser.click("[data-go=first]");
    check_position(&browser, 1);
    assert!(browser.texts("#cards tfoot td").iter().all(|score| score == "0"));
    assert!(scores.iter().any(|score| score != "0"), "{scores:?}");
    assert_eq!(browser.console_problems(), Vec::<String>::new());
    server.expect_no_warnings();
}

/// The score column in the table of results.
fn scores_of_the_result(browser: &Chromium) -> Vec<String> {
    let heads = browser.texts("#result-of-seats thead th");
    let column =
        heads.iter().position(|head| head == "Score").expect("there is a column of scores");
    browser.texts(&format!("#result-of-seats tbody tr > :nth-child({})", column + 1))
}

#[test]
fn liars_dice_games_can_be_stepped_through() {
    let mut server = TestServer::new(&["liars-dice.db"], hills::liars_dice);
    let browser = server.browser("visitor");
    step_through(&browser, &server.address(LIARS_DICE));
    check_winner_has_dice(&browser);
    check_jumps(&browser);
    check_losses(&browser, " dice.");
    check_phone(&browser);
    browser.click("[data-go=first]");
    check_position(&browser, 1);
    check_hidden_dice(&browser);
    assert_eq!(browser.console_problems(), Vec::<String>::new());
    server.expect_no_warnings();
}

/// At the last position, whose call ends the game.
fn check_winner_has_dice(browser: &Chromium) {
    let hands = browser.texts("#seats .replay-said");
    let won = browser.texts("#result-of-seats tbody td.text");
    assert_eq!(hands.len(), won.len());
    assert_eq!(won.iter().filter(|won| *won == "yes").count(), 1, "{won:?}");
    assert_eq!(hands.iter().filter(|hand| *hand != "out").count(), 2, "{hands:?}");
    let is_in = |(hand, won): (&String, &String)| won != "yes" || hand != "out";
    assert!(hands.iter().zip(&won).all(is_in), "{hands:?}, {won:?}");
    assert_eq!(browser.texts("#seats strong"), ["Liar!"]);
}

/// A seat's view shows its own dice at each position, and all dice after a call.
fn check_hidden_dice(browser: &Chromium) {
    let hands = dice(browser, "#seats .replay-hand");
    assert!(hands.len() > 1 && hands.iter().all(|hand| !hand.contains("hidden")), "{hands:?}");
    for seat in 0..hands.len() {
        browser.choose("#view", &seat.to_string());
        let dice_of_view = dice(browser, "#seats .replay-hand");
        for (other, (dice_of_view, hand)) in dice_of_view.iter().zip(&hands).enumerate() {
            let hidden = format!("{} hidden dice", hand.split(' ').count());
            assert_eq!(dice_of_view, if other == seat { hand } else { &hidden }, "seen by {seat}");
        }
        let covered = "#seats .replay-hand use[href='#d0']";
        assert!(browser.has(covered));
        browser.click("[data-go=last]");
        assert!(!browser.has(covered), "a call shows all hands");
        browser.click("[data-go=first]");
    }
    browser.choose("#view", "");
    assert_eq!(dice(browser, "#seats .replay-hand"), hands);
}

/// The seat that moves in the position that is shown, according to the page's data.
fn acting_seat(browser: &Chromium) -> u64 {
    browser.evaluate_number(
        "const { replay } = JSON.parse(document.getElementById('replay').textContent);
         const { moves } = replay.yahtzee ?? replay.liars_dice;
         return moves[document.getElementById('position').value - 1].seat",
    )
}

/// The round that is shown above the dice.
fn round(browser: &Chromium) -> String {
    let place = browser.text("#place");
    place.split(',').next().unwrap_or_default().to_owned()
}

/// A space plays and pauses while nothing has the focus, and the keys and buttons go to other rounds and players.
fn check_jumps(browser: &Chromium) {
    let body = || browser.evaluate("document.activeElement.blur(); document.body.focus()");
    browser.click("[data-go=first]");
    browser.evaluate("document.getElementById('player').scrollIntoView()");
    body();
    browser.press(Key::Space);
    browser.wait_until("document.querySelector('[data-go=play]').textContent.trim() === 'Pause'");
    browser.wait_until("Number(document.getElementById('position').value) > 2");
    browser.press(Key::Space);
    assert_eq!(browser.text("[data-go=play]").trim(), "Play");
    browser.click("[data-go=first]");
    let (first, acting) = (round(browser), acting_seat(browser));
    browser.click("[data-go=round-forward]");
    assert_ne!(round(browser), first);
    browser.click("[data-go=round-back]");
    assert_eq!(round(browser), first);
    assert_eq!(position(browser).0, 1);
    browser.click("[data-go=player-forward]");
    let (next, _) = position(browser);
    assert!(next > 1 && acting_seat(browser) == acting);
    browser.click("[data-go=player-back]");
    assert_eq!(position(browser).0, 1);
    let seats = browser.texts("#seats li").len() as u64;
    for seat in 0..seats {
        browser.click(&format!("#seats [data-seat='{seat}']"));
        assert_eq!(acting_seat(browser), seat);
        assert!(browser.has(&format!("#seats li:nth-child({})[aria-current]", seat + 1)));
    }
}

/// The next move with a loss is one of which the coach says what was better.
fn check_losses(browser: &Chromium, unit: &str) {
    browser.click("[data-go=first]");
    browser.click("[data-go=loss-forward]");
    let verdict = browser.text("#verdict");
    assert!(verdict.trim().starts_with("Loss ") && verdict.contains(unit), "{verdict}");
    assert!(verdict.contains("Best: "), "{verdict}");
    check_announcement(browser);
}

/// A screen reader hears round, player, dice, action and verdict in one sentence, once the reader goes to a move.
fn check_announcement(browser: &Chromium) {
    let said = browser.text("#said");
    let parts = ["Round ", ", with ", "Loss ", "Best: "];
    let places: Vec<_> = parts.iter().filter_map(|part| said.find(part)).collect();
    assert!(places.len() == parts.len() && places.is_sorted(), "{said}");
    assert!(said.contains(&browser.text("#seats [aria-current] bdi")), "{said}");
    browser.click("[data-go=play]");
    browser.wait_until("document.getElementById('said').textContent === 'Playing.'");
    browser.click("[data-go=play]");
    browser.wait_until("document.getElementById('said').textContent.startsWith('Round ')");
}

/// Everything from the first seat to the last card or control is on one screen of a phone, with the dice of a hand in one
/// line.
fn check_phone(browser: &Chromium) {
    browser.resize(Window::Phone);
    browser.evaluate("document.getElementById('player').scrollIntoView()");
    for where_to in ["first", "last"] {
        browser.click(&format!("[data-go={where_to}]"));
        let bottom = "const parts = ['.replay-table', '#decision', '.transport', '#cards'];
            const bottoms = parts.map((one) => document.querySelector(one)?.getBoundingClientRect().bottom ?? 0);
            return Math.ceil(Math.max(...bottoms) - document.querySelector('.replay-table').getBoundingClientRect().top)";
        let height = browser.evaluate_number(bottom);
        assert!(height <= 800, "{where_to}: {height}");
        let stacked = "return [...document.querySelectorAll('.player .dice')].filter((dice) => {
            const tops = [...dice.children].map((die) => Math.round(die.getBoundingClientRect().top));
            return dice.children.length <= 5 && new Set(tops).size > 1 }).length";
        assert_eq!(browser.evaluate_number(stacked), 0);
    }
    browser.resize(Window::Desktop);
}
