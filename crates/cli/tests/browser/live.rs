//! A board while a tournament is played: it changes by itself, and nothing else does.

use std::io::Write;
use std::net::TcpStream;

use crate::browser::chromium::Chromium;
use crate::browser::hills;
use crate::browser::page_checks::is_sound;
use crate::browser::test_server::TestServer;
use crate::support::Scratch;

/// How many games are played so far, as the page says.
const GAMES: &str = "(document.querySelector('#live progress')?.value ?? 0)";
const STATE: &str = "document.querySelector('#live .status')?.dataset.state";
const CROWN: &str = "return document.querySelector('#live .crown').textContent";

/// A hill without a tournament, and somebody who looks at it.
fn quiet(hill: fn(&Scratch)) -> (TestServer, Chromium) {
    let mut server = TestServer::new(&["live.db"], hill);
    let browser = server.browser("visitor");
    browser.open(&server.address("/hills/live"));
    assert!(browser.ask_text("return document.body.innerText").contains("no tournament yet"));
    // What a reload would take away.
    browser.ask("window.here = 'still here'");
    (server, browser)
}

/// Expects games to be shown as they are played, the champion at the end, and no reload.
fn changes_until_the_end(browser: &Chromium) {
    browser.until(&format!("{STATE} === 'playing' && {GAMES} > 0"));
    let games = browser.ask_number(&format!("return {GAMES}"));
    browser.until(&format!("{GAMES} > {games} || {STATE} === 'ended'"));
    has_ended(browser);
}

fn has_ended(browser: &Chromium) {
    browser.until(&format!("{STATE} === 'ended'"));
    let crown = browser.ask_text(CROWN);
    assert!(crown.starts_with("Champion: greedy"), "{crown}");
    assert_eq!(browser.ask("return document.querySelectorAll('.standings tbody tr').length"), 3);
}

fn was_not_reloaded(browser: &Chromium) {
    assert_eq!(browser.ask_text("return String(window.here)"), "still here");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_board_changes_by_itself_until_its_champion_is_known() {
    let (server, browser) = quiet(hills::live);
    let before = browser.ask_text("return document.getElementById('live').dataset.version ?? ''");
    let mut run = server.start(&hills::PLAYED);
    changes_until_the_end(&browser);
    run.ends_well();
    let after = browser.ask_text("return document.getElementById('live').dataset.version");
    assert_ne!(before, after);
    let told = browser.ask_text("return document.getElementById('told').textContent");
    assert!(told.starts_with("Champion: greedy"), "those who do not see hear it: {told:?}");
    was_not_reloaded(&browser);
    server.is_content();
}

/// Who is somewhere by keyboard stays there when the board changes, and what somebody has opened stays open.
#[test]
fn what_somebody_has_reached_and_opened_survives_changes() {
    let (server, browser) = quiet(hills::endless);
    let run = server.start(&hills::ENDLESS);
    browser.until(&format!("{STATE} === 'playing' && {GAMES} > 0 && {DETAILS}"));
    browser.ask(&format!("{DETAILS}.open = true"));
    for place in PLACES {
        run.send("-STOP");
        browser.ask(&format!("document.querySelector({place:?}).focus()"));
        let has_it = format!("document.activeElement?.matches({place:?})");
        browser.until(&has_it);
        let games = browser.ask_number(&format!("return {GAMES}"));
        run.send("-CONT");
        browser.until(&format!("{GAMES} > {games}"));
        assert_eq!(browser.ask(&format!("return Boolean({has_it})")), true, "{place}");
        assert_eq!(browser.ask(&format!("return {DETAILS}.open")), true, "{place}");
    }
    was_not_reloaded(&browser);
    its_moves_can_be_seen(&browser);
}

/// Those of a bot that was barred, while the others play on.
fn its_moves_can_be_seen(browser: &Chromium) {
    browser.open(
        &browser.ask_text(&format!("return {DETAILS}.closest('.bar').querySelector('a').href")),
    );
    assert_eq!(browser.texts("h1"), ["Offender is barred in game 32"]);
    browser.click("[data-go=last]");
    let told = browser.text("#told");
    assert!(told.contains("Offender") && told.contains("NONE"), "{told}");
    is_sound(browser, "the game of a bar");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What a bot that was barred has been shown.
const DETAILS: &str = "document.querySelector('#live .bar details')";
/// Where somebody may be by keyboard.
const PLACES: [&str; 3] = [
    "#live .wide[aria-labelledby=board]",
    "#live .standings tbody tr:nth-child(2) a",
    "#live .bar summary",
];

/// Who never reads what is sent to it is nobody else's matter.
#[test]
fn the_stuck_keep_nobody_from_watching() {
    let (mut server, browser) = quiet(hills::live);
    let other = server.browser("other");
    other.open(&server.address("/hills/live"));
    other.ask("window.here = 'still here'");
    let _listener = stuck(&server, "/hills/live/live", 1);
    let _reader = stuck(&server, "/hills/live", 2000);
    let mut run = server.start(&hills::PLAYED);
    changes_until_the_end(&browser);
    run.ends_well();
    has_ended(&other);
    was_not_reloaded(&browser);
    was_not_reloaded(&other);
}

/// Asks for a page so many times, and reads none of it.
fn stuck(server: &TestServer, path: &str, times: usize) -> TcpStream {
    let mut stream = TcpStream::connect(server.host()).expect("the server takes everybody");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
    stream.set_nonblocking(true).expect("a socket can be told so");
    // As much as the system takes.
    let _sent = stream.write(request.repeat(times).as_bytes()).expect("the first bytes go out");
    stream
}
