//! What makes tables games: what survives a reload and a restart, pace, explanations, keys, resigning, leaving and rematches.

use fantoccini::key::Key;

use crate::browser::chromium::Chromium;
use crate::browser::page_checks::check_page;
use crate::browser::play_page::{
    IS_IDLE, click_and_wait, create_table, fill_form, keep_announcements, play_at_once,
    wait_for_turn,
};
use crate::browser::test_server::TestServer;

const TABLES: [&str; 2] = ["--tables", "tables"];

/// A table of Yahtzee for Ada and a bot, at her turn.
fn yahtzee(server: &mut TestServer) -> Chromium {
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    create_table(&browser, "yahtzee", "Ada", &["greedy"]);
    assert!(wait_for_turn(&browser));
    browser
}

/// Loads the page again.
fn reload(browser: &Chromium) {
    browser.open(&browser.evaluate_text("return location.href"));
    browser.wait_until("document.getElementById('turn')");
}

/// What the tray shows: the pips, and what is kept.
fn tray(browser: &Chromium) -> String {
    browser.evaluate_text(
        "return [...document.querySelectorAll('.tray .die-place')]
            .map((die) => `${die.ariaLabel} ${die.ariaPressed}`).join()",
    )
}

#[test]
fn kept_dice_survive_a_reload_and_a_restart_of_the_server() {
    let mut server = TestServer::new(&TABLES, |_| {});
    let browser = yahtzee(&mut server);
    browser.click("#die-2");
    browser.click("#die-4");
    browser.click("#roll");
    assert!(wait_for_turn(&browser));
    browser.click("#die-2");
    let before = tray(&browser);
    assert_eq!(before.matches("true").count(), 1, "{before}");
    reload(&browser);
    assert!(wait_for_turn(&browser));
    assert_eq!(tray(&browser), before);
    server.restart();
    browser.wait_until("document.getElementById('trouble').hidden");
    assert_eq!(tray(&browser), before);
    browser.click("#roll");
    assert!(wait_for_turn(&browser), "the seat is still Ada's");
    assert!(!browser.has("#die-1"), "that was the last roll");
    reload(&browser);
    assert!(wait_for_turn(&browser));
    server.expect_no_warnings();
}

#[test]
fn a_game_is_resigned_replayed_shared_and_played_again() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = yahtzee(&mut server);
    browser.evaluate("Object.defineProperty(navigator, 'share', { configurable: true, value: (what) => { window.shared = what.url; return Promise.resolve(); } })");
    browser.click("#share");
    browser.wait_until("window.shared === location.href");
    browser.evaluate("Object.defineProperty(navigator, 'share', { configurable: true, value: undefined }); Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => { window.copied = text; return Promise.resolve(); } } })");
    browser.click("#share");
    browser.wait_until("window.copied === location.href && document.getElementById('share').textContent === 'Copied'");
    browser.click("#resign");
    check_page(&browser, "the question before resigning");
    browser.wait_until("document.getElementById('asked').textContent !== ''");
    assert_eq!(
        browser.text("#asked"),
        "Resign? A bot plays the rest of the game for you, and you cannot win it."
    );
    browser.click("#keep-playing");
    assert!(browser.has("#roll"), "the game continues");
    assert_eq!((browser.text("#asked"), browser.text("#said")), (String::new(), String::new()));
    keep_announcements(&browser);
    browser.click("#resign");
    browser.click("#do-resign");
    browser.wait_until("document.getElementById('results') && document.getElementById('report')");
    let heard = browser.evaluate_text("return heard.join(' ')");
    for words in ["You have resigned: a bot plays the rest.", ", resigned"] {
        assert!(heard.contains(words), "{heard}");
    }
    let results = browser.texts("#results tbody tr");
    assert!(
        results.iter().any(|row| row.contains("Ada") && row.ends_with("resigned")),
        "{results:?}"
    );
    assert!(
        results.iter().any(|row| row.contains("greedy") && row.ends_with("won")),
        "{results:?}"
    );
    let table = browser.evaluate_text("return location.pathname");
    let replay = browser.evaluate_text("return document.getElementById('replay').pathname");
    assert_eq!(replay, format!("{table}/replay"));
    browser.click("#rematch");
    browser.wait_until(&format!("location.pathname.startsWith('/tables/') && location.pathname !== '{table}' && document.getElementById('turn')"));
    assert!(wait_for_turn(&browser));
    browser.open(&server.address(&replay));
    browser.wait_until("document.getElementById('position')");
    assert!(browser.texts("#result-of-seats th[scope=row]").contains(&"Ada".to_owned()));
    assert_eq!(browser.console_problems(), Vec::<String>::new());
    server.expect_no_warnings();
}

#[test]
fn the_moves_of_others_are_shown_one_by_one() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    browser.click("#form-liars-dice details:has(#seed-liars-dice) summary");
    browser.type_into("#seed-liars-dice", "pace");
    create_table(&browser, "liars-dice", "Ada", &["honest", "honest"]);
    assert!(wait_for_turn(&browser));
    // From here on the test says when a pause is over.
    browser.evaluate(
        "window.pauses = [];
         window.setTimeout = (next, milliseconds) => { pauses.push([next, milliseconds]); return pauses.length; };
         window.clearTimeout = () => { pauses.pop(); };",
    );
    browser.choose("#pace", "slow");
    let lines = || browser.texts("#lines li bdi").len();
    let before = lines();
    browser.click("#bid");
    browser.wait_until(&format!("{IS_IDLE} && pauses.length === 1"));
    assert_eq!(lines(), before + 1, "only the player's own bid is shown");
    assert!(browser.text("#turn").ends_with("is thinking …"));
    assert!(!browser.has("#bid, #call"), "it is not the player's turn yet");
    let slow = browser.evaluate_number("return pauses[0][1]");
    browser.evaluate("const [next] = pauses.shift(); next();");
    assert_eq!(lines(), before + 2, "one more move is shown");
    browser.choose("#pace", "fast");
    reload(&browser);
    assert_eq!(browser.evaluate_text("return document.getElementById('pace').value"), "fast");
    assert!(slow > 2000, "{slow}");
    server.expect_no_warnings();
}

#[test]
fn a_call_is_unlike_a_bid_and_a_double_click_is_one_action() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    browser.click("#form-liars-dice details:has(#seed-liars-dice) summary");
    browser.type_into("#seed-liars-dice", "clicks");
    create_table(&browser, "liars-dice", "Ada", &["honest"]);
    while wait_for_turn(&browser) && !browser.has("#call") {
        click_and_wait(&browser, "#bid");
    }
    let moves = "return fetch(`/api/v1${location.pathname}`).then((answer) => answer.json()).then((table) => table.moves)";
    let before = browser.evaluate_number(moves);
    let looks = browser.evaluate(
        "const look = (id) => { const style = getComputedStyle(document.getElementById(id));
            return [style.color, style.backgroundColor, style.borderTopStyle, style.borderRadius]; };
         const [bid, call] = [look('bid'), look('call')];
         const [low, high] = ['bid', 'call'].map((id) => document.getElementById(id).getBoundingClientRect());
         return bid.every((one, index) => one !== call[index]) && high.bottom + 40 < low.top;",
    );
    assert_eq!(looks, true, "colour, shape and place are different");
    assert!(browser.text("#call").starts_with("Liar!There are fewer than "));
    // The second click of a double click has this detail.
    browser.evaluate("document.getElementById('call').dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }))");
    assert!(browser.has("#call:enabled"));
    assert_eq!(browser.evaluate_number(moves), before, "nothing was called");
    browser.evaluate("for (const detail of [1, 2]) document.getElementById('call')?.dispatchEvent(new MouseEvent('click', { detail, bubbles: true }))");
    browser.wait_until(&format!("{IS_IDLE} && document.getElementById('call-title')"));
    assert_eq!(browser.evaluate_number(moves), before + 1);
    assert_eq!(browser.text("#trouble"), "");
}

#[test]
fn a_first_game_explains_each_choice() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    for (game, opponent, reason) in
        [("liars-dice", "honest", "hidden dice"), ("yahtzee", "greedy", "points now")]
    {
        browser.open(&server.address("/play"));
        fill_form(&browser, game, "Ada", &[opponent]);
        browser.choose("#pace", "none");
        assert!(browser.evaluate("return document.getElementById('guide').checked") == true);
        browser.wait_until("document.querySelectorAll('#hints .why').length > 3");
        let reasons = browser.texts("#hints .why").join(" ");
        let reasons_of = [reason, "dice are enough", "the next roll makes"];
        assert!(reasons_of.iter().any(|one| reasons.contains(one)), "{reasons}");
        check_page(&browser, "a turn with explanations");
        assert!(browser.text(".rules").starts_with("Rules of "));
        browser.click("#guide");
        browser.wait_until("!document.querySelector('#hints .why')");
        assert!(wait_for_turn(&browser));
        browser.evaluate("localStorage.removeItem('dicehill.guide')");
    }
    server.expect_no_warnings();
}

#[test]
fn a_game_of_yahtzee_is_played_by_keys() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = yahtzee(&mut server);
    let mut turns = 0;
    while wait_for_turn(&browser) {
        turns += 1;
        browser.evaluate("document.getElementById('turn').focus()");
        browser.press_keys("1");
        browser.wait_until("document.querySelector('#die-1[aria-pressed=true]')");
        let said = browser.text("#said");
        let die = said.strip_prefix("Die 1: ").and_then(|said| said.strip_suffix(", kept."));
        let die = die.unwrap_or_else(|| panic!("{said:?} names no die"));
        assert!(browser.has("#turn:focus"), "a key moves no focus");
        browser.press_keys("r");
        assert!(wait_for_turn(&browser));
        let said = browser.text("#said");
        assert!(
            said.starts_with("Dice: ") && said.contains(&format!(" Kept: {die}. ")),
            "{said:?}"
        );
        let is_box = "document.activeElement.classList.contains('box')";
        while browser.evaluate(&format!("return {is_box}")) != true {
            browser.press(Key::Tab);
        }
        browser.press(Key::Enter);
        browser.wait_until(IS_IDLE);
    }
    assert_eq!(turns, 13);
    server.expect_no_warnings();
}

#[test]
fn the_focus_stays_or_goes_to_the_heading_of_the_turn() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = yahtzee(&mut server);
    browser.evaluate("window.die = document.getElementById('die-2'); die.focus()");
    browser.press(Key::Enter);
    browser.wait_until("die.ariaPressed === 'true'");
    browser.press_keys("r");
    browser.wait_until(&format!(
        "{IS_IDLE} && document.getElementById('said').textContent.startsWith('Dice: ')"
    ));
    assert_eq!(
        browser.evaluate("return document.activeElement === die"),
        true,
        "it is the same die"
    );
    browser.evaluate("document.querySelector('button.box').focus()");
    browser.press(Key::Enter);
    browser.wait_until(&format!("{IS_IDLE} && document.querySelector('tr.filled')"));
    assert!(browser.has("#turn:focus"));
    let reads_on = "return document.getElementById('turn').contains(getSelection().anchorNode)";
    assert_eq!(browser.evaluate(reads_on), true, "a screen reader reads on there");
    server.expect_no_warnings();
}

#[test]
fn a_bid_is_announced_while_it_is_chosen() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    create_table(&browser, "liars-dice", "Ada", &["honest"]);
    assert!(wait_for_turn(&browser));
    let bid = || browser.text("#bid").replacen("Bid ", "", 1);
    // The same bid again is announced with a no-break space.
    let said = || browser.text("#said").trim_end_matches(['.', '\u{a0}']).to_lowercase();
    let is_announced = || said() == bid();
    let count = "return Number(document.getElementById('bid-count').value)";
    let (first, lowest) = (bid(), browser.evaluate_number(count));
    browser.evaluate("document.getElementById('fewer').focus()");
    browser.press(Key::Enter);
    assert!(is_announced() && bid() == first, "there is no lower bid");
    assert!(browser.has("#fewer:focus"), "the button keeps the focus");
    // A sign is no part of the number in the field.
    browser.evaluate("document.getElementById('bid-count').focus()");
    browser.press_keys("+");
    assert!(is_announced() && browser.evaluate_number(count) == lowest + 1);
    browser.evaluate("document.getElementById('fewer').focus()");
    browser.press_keys("6");
    assert!(is_announced() && bid().ends_with(" sixes"), "{} {}", bid(), said());
    browser.press_keys("6");
    assert!(is_announced(), "it is announced again");
    browser.press_keys("b");
    assert!(wait_for_turn(&browser));
    reload(&browser);
    assert!(wait_for_turn(&browser));
    let said = browser.text("#said");
    assert!(said.contains("honest ") && said.contains("Your turn. Your dice: "), "{said:?}");
    assert!(!said.contains("The game has begun."), "{said:?}");
    server.expect_no_warnings();
}

#[test]
fn a_game_of_liars_dice_is_played_by_keys() {
    let mut server = TestServer::new(&[], |_| {});
    let browser = server.browser("player");
    browser.open(&server.address("/play"));
    create_table(&browser, "liars-dice", "Ada", &["badnomial"]);
    let mut turns = 0;
    while wait_for_turn(&browser) {
        turns += 1;
        assert!(turns < 150, "it goes on and on");
        browser.evaluate("document.getElementById('turn').focus()");
        let high =
            browser.evaluate("return Number(document.getElementById('bid-count')?.value ?? 9) > 3");
        if browser.has("#call") && high == true {
            browser.press_keys("l");
            assert!(browser.has("#call:focus"), "one key does not call");
            browser.press(Key::Enter);
        } else {
            browser.press_keys("b");
        }
        browser.wait_until(IS_IDLE);
    }
    assert!(browser.text("#said").contains("The game is over."), "{}", browser.text("#said"));
    // Without shortcuts only the focused control has keys.
    assert!(browser.has("#keys"));
    server.expect_no_warnings();
}

#[test]
fn a_bot_plays_for_a_person_who_leaves_and_both_play_again() {
    let mut server = TestServer::new(&[], |_| {});
    let [ada, grace] = ["ada", "grace"].map(|name| server.browser(name));
    ada.open(&server.address("/play"));
    create_table(&ada, "liars-dice", "Ada", &["person"]);
    ada.click("#leave");
    ada.wait_until("document.getElementById('sit')");
    ada.type_into("#sit-name", "Ada");
    ada.click("#sit");
    ada.wait_until("document.getElementById('turn').textContent === 'Waiting for one more player'");
    let address = ada.evaluate_text("return location.href");
    grace.open(&address);
    play_at_once(&grace);
    grace.open(&address);
    grace.wait_until("document.getElementById('sit')");
    grace.type_into("#sit-name", "Grace");
    grace.click("#sit");
    ada.wait_until("document.getElementById('leave') && !document.getElementById('leave').hidden");
    ada.click("#leave");
    ada.wait_until("document.getElementById('return')");
    check_page(&ada, "a seat that a bot plays");
    assert!(wait_for_turn(&grace), "the bot has moved for Ada");
    grace.wait_until(
        "document.querySelector('.player-name .note')?.textContent === ' (a bot plays)'",
    );
    ada.click("#return");
    ada.wait_until("!document.getElementById('return')");
    grace.click("#resign");
    grace.click("#do-resign");
    let over = "document.getElementById('rematch')";
    while wait_for_turn(&ada) {
        click_and_wait(&ada, if ada.has("#call") { "#call" } else { "#bid" });
    }
    ada.wait_until(over);
    grace.wait_until(over);
    ada.click("#rematch");
    let moved = format!("location.href !== {address:?} && document.getElementById('turn')");
    ada.wait_until(&moved);
    grace.wait_until("document.getElementById('rematch').textContent === 'Join the rematch'");
    grace.click("#rematch");
    grace.wait_until(&moved);
    let page = "return location.pathname";
    assert_eq!(ada.evaluate_text(page), grace.evaluate_text(page));
    ada.wait_until("document.getElementById('last-bid')");
    server.expect_no_warnings();
}
