//! Games that are looked at move by move.

use fantoccini::key::Key;

use crate::browser::chromium::Chromium;
use crate::browser::hills;
use crate::browser::test_server::TestServer;

const YAHTZEE: &str = "/hills/yahtzee/runs/1/games/7";
const LIARS_DICE: &str = "/hills/liars-dice/runs/1/games/7";

/// The position that is shown, and the last there is, as the page counts them.
#[track_caller]
fn position(browser: &Chromium) -> (usize, usize) {
    let at = browser.text("#at");
    let (at, count) = at.split_once(" of ").expect("a position is one of all");
    (at.parse().expect("a number"), count.parse().expect("a number"))
}

/// Expects a position to be shown by all that shows one, and the address to name it.
#[track_caller]
fn is_at(browser: &Chromium, number: usize) {
    let (at, count) = position(browser);
    assert_eq!(at, number);
    assert_eq!(
        browser.ask_text("return document.getElementById('position').value"),
        at.to_string()
    );
    let current = "return [...document.querySelectorAll('.current')].map((one) => one.id).join()";
    assert_eq!(browser.ask_text(current), format!("move-{number}"));
    for (button, is_disabled) in
        [("first", at == 1), ("back", at == 1), ("forward", at == count), ("last", at == count)]
    {
        let disabled = format!("[data-go={button}][aria-disabled={is_disabled}]");
        assert!(browser.has(&disabled), "{disabled} at {number} of {count}");
    }
    browser.until(&format!("location.hash === '#move-{number}'"));
}

/// Goes through a game in every way that there is, and ends at its last position.
#[track_caller]
fn is_stepped(browser: &Chromium, address: &str) {
    browser.open(address);
    let (at, count) = position(browser);
    assert!(at == 1 && count > 10, "{at} of {count}");
    browser.click("[data-go=forward]");
    is_at(browser, 2);
    browser.click("[data-go=last]");
    is_at(browser, count);
    browser.click("[data-go=back]");
    is_at(browser, count - 1);
    browser.click("[data-go=first]");
    is_at(browser, 1);
    browser.press(Key::Right);
    is_at(browser, 2);
    browser.press(Key::Right);
    browser.press(Key::Left);
    is_at(browser, 2);
    is_slid(browser, count);
    plays_by_itself(browser);
    is_found_by_its_address(browser, address, count);
    browser.click("#move-4 a.number");
    is_at(browser, 4);
    // The slider has the focus now, wherever the page still scrolls to.
    browser.press(Key::End);
    is_at(browser, count);
}

/// By a click on the middle of the slider, by its own keys, and by those that the page gives it.
fn is_slid(browser: &Chromium, count: usize) {
    browser.click("#position");
    let (at, _) = position(browser);
    assert!((count / 3..=1 + count * 2 / 3).contains(&at), "{at} of {count}");
    is_at(browser, at);
    browser.press(Key::End);
    is_at(browser, count);
    browser.press(Key::PageDown);
    let (at, _) = position(browser);
    assert!(at < count, "it slides by a part of the game");
    is_at(browser, at);
    browser.press(Key::Home);
    is_at(browser, 1);
}

fn plays_by_itself(browser: &Chromium) {
    let play = "[data-go=play]";
    browser.click(play);
    assert_eq!(browser.text(play), "Pause");
    browser.until("document.getElementById('position').value === '2'");
    browser.click(play);
    assert_eq!(browser.text(play), "Play");
    let (at, _) = position(browser);
    is_at(browser, at);
}

/// Whether it was there when the page was loaded, is changed later, or means nothing.
fn is_found_by_its_address(browser: &Chromium, address: &str, count: usize) {
    for (named, shown) in [(5, 5), (count, count), (count + 1000, count)] {
        // Otherwise the page would only be told of a new fragment.
        browser.open("about:blank");
        browser.open(&format!("{address}#move-{named}"));
        assert_eq!(position(browser), (shown, count), "#move-{named}");
    }
    browser.ask("location.hash = '#move-3'");
    browser.until("document.getElementById('at').textContent.startsWith('3 ')");
    is_at(browser, 3);
}

/// Labels of dice, in order.
fn dice(browser: &Chromium, selector: &str) -> Vec<String> {
    let labels = format!(
        "return [...document.querySelectorAll('{selector} .dice')]
            .map((one) => one.getAttribute('aria-label')).join('|')"
    );
    browser.ask_text(&labels).split('|').map(str::to_owned).collect()
}

#[test]
fn a_game_of_yahtzee_is_stepped_through() {
    let mut server = TestServer::new(&["yahtzee.db"], hills::yahtzee);
    let browser = server.browser("visitor");
    is_stepped(&browser, &server.address(YAHTZEE));
    let scores = browser.texts("#cards tfoot td");
    assert_eq!(scores, scores_of_the_result(&browser));
    for number in [1, 6, 20] {
        browser.ask(&format!("location.hash = '#move-{number}'"));
        browser
            .until(&format!("document.getElementById('at').textContent.startsWith('{number} ')"));
        is_at(&browser, number);
        assert_eq!(dice(&browser, "#dice"), dice(&browser, &format!("#move-{number}")));
    }
    browser.click("[data-go=first]");
    is_at(&browser, 1);
    assert!(browser.texts("#cards tfoot td").iter().all(|score| score == "0"));
    assert!(scores.iter().any(|score| score != "0"), "{scores:?}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    server.is_content();
}

/// The column of that name in the table of results.
fn scores_of_the_result(browser: &Chromium) -> Vec<String> {
    let heads = browser.texts("#result-of-seats thead th");
    let column = heads.iter().position(|head| head == "Score").expect("scores are told");
    browser.texts(&format!("#result-of-seats tbody tr > :nth-child({})", column + 1))
}

#[test]
fn a_game_of_liars_dice_is_stepped_through() {
    let mut server = TestServer::new(&["liars-dice.db"], hills::liars_dice);
    let browser = server.browser("visitor");
    is_stepped(&browser, &server.address(LIARS_DICE));
    who_won_is_still_in(&browser);
    browser.click("[data-go=first]");
    is_at(&browser, 1);
    others_are_hidden(&browser);
    assert_eq!(browser.complaints(), Vec::<String>::new());
    server.is_content();
}

/// At the last position, whose call ends the game.
fn who_won_is_still_in(browser: &Chromium) {
    let hands = browser.texts("#hands tbody td:nth-child(2)");
    let won = browser.texts("#result-of-seats tbody td:last-child");
    assert_eq!(hands.len(), won.len());
    assert_eq!(won.iter().filter(|won| *won == "yes").count(), 1, "{won:?}");
    assert_eq!(hands.iter().filter(|hand| *hand != "out").count(), 2, "{hands:?}");
    let is_in = |(hand, won): (&String, &String)| won != "yes" || hand != "out";
    assert!(hands.iter().zip(&won).all(is_in), "{hands:?}, {won:?}");
    assert_eq!(browser.texts("#hands tbody strong"), ["Liar!"]);
}

/// A seat's view shows its own dice at each position, and all of them when somebody calls.
fn others_are_hidden(browser: &Chromium) {
    let hands = dice(browser, "#hands td:nth-child(2)");
    assert!(hands.len() > 1 && hands.iter().all(|hand| !hand.contains("hidden")), "{hands:?}");
    for seat in 0..hands.len() {
        browser.choose("#view", &seat.to_string());
        let seen = dice(browser, "#hands td:nth-child(2)");
        for (other, (seen, hand)) in seen.iter().zip(&hands).enumerate() {
            let hidden = format!("{} hidden", hand.split(' ').count());
            assert_eq!(seen, if other == seat { hand } else { &hidden }, "seen by {seat}");
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
