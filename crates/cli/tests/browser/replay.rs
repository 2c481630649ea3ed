//! Replays of games in the browser, move by move.

use fantoccini::key::Key;

use crate::browser::chromium::Chromium;
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
    assert_eq!(browser.text(play), "Pause");
    browser.wait_until("document.getElementById('position').value === '2'");
    browser.click(play);
    assert_eq!(browser.text(play), "Play");
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
        assert_eq!(dice(&browser, "#dice"), dice(&browser, &format!("#move-{number}")));
    }
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
    browser.click("[data-go=first]");
    check_position(&browser, 1);
    check_hidden_dice(&browser);
    assert_eq!(browser.console_problems(), Vec::<String>::new());
    server.expect_no_warnings();
}

/// At the last position, whose call ends the game.
fn check_winner_has_dice(browser: &Chromium) {
    let hands = browser.texts("#hands tbody td:nth-child(2)");
    let won = browser.texts("#result-of-seats tbody td:last-child");
    assert_eq!(hands.len(), won.len());
    assert_eq!(won.iter().filter(|won| *won == "yes").count(), 1, "{won:?}");
    assert_eq!(hands.iter().filter(|hand| *hand != "out").count(), 2, "{hands:?}");
    let is_in = |(hand, won): (&String, &String)| won != "yes" || hand != "out";
    assert!(hands.iter().zip(&won).all(is_in), "{hands:?}, {won:?}");
    assert_eq!(browser.texts("#hands tbody strong"), ["Liar!"]);
}

/// A seat's view shows its own dice at each position, and all dice after a call.
fn check_hidden_dice(browser: &Chromium) {
    let hands = dice(browser, "#hands td:nth-child(2)");
    assert!(hands.len() > 1 && hands.iter().all(|hand| !hand.contains("hidden")), "{hands:?}");
    for seat in 0..hands.len() {
        browser.choose("#view", &seat.to_string());
        let dice_of_view = dice(browser, "#hands td:nth-child(2)");
        for (other, (dice_of_view, hand)) in dice_of_view.iter().zip(&hands).enumerate() {
            let hidden = format!("{} hidden", hand.split(' ').count());
            assert_eq!(dice_of_view, if other == seat { hand } else { &hidden }, "seen by {seat}");
        }
        let covered = "#hands td:nth-child(2) use[href='#d0']";
        assert!(browser.has(covered));
        browser.click("[data-go=last]");
        assert!(!browser.has(covered), "a call shows all hands");
        browser.click("[data-go=first]");
    }
    browser.choose("#view", "");
    assert_eq!(dice(browser, "#hands td:nth-child(2)"), hands);
}
