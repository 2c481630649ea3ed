//! A board during a run: it updates itself, and nothing else changes.

use std::io::Write;
use std::net::TcpStream;

use crate::browser::chromium::Chromium;
use crate::browser::hills;
use crate::browser::page_checks::check_page;
use crate::browser::test_server::TestServer;
use crate::support::Scratch;

/// How many games are played so far, according to the page.
const GAMES: &str = "(document.querySelector('#live progress')?.value ?? 0)";
const STATE: &str = "document.querySelector('#live .status')?.dataset.state";
const CROWN: &str = "return document.querySelector('#live .crown').textContent";

/// A hill without a run, and a browser that shows it.
fn hill_without_run(hill: fn(&Scratch)) -> (TestServer, Chromium) {
    let mut server = TestServer::new(&["live.db"], hill);
    let browser = server.browser("visitor");
    browser.open(&server.address("/hills/live"));
    assert!(
        browser
            .evaluate_text("return document.body.innerText")
            .contains("No run has been played yet")
    );
    // A reload would remove this variable.
    browser.evaluate("window.here = 'still here'");
    (server, browser)
}

/// Expects games to be shown as they are played, the champion at the end, and no reload.
fn check_live_updates(browser: &Chromium) {
    browser.wait_until(&format!("{STATE} === 'playing' && {GAMES} > 0"));
    let games = browser.evaluate_number(&format!("return {GAMES}"));
    browser.wait_until(&format!("{GAMES} > {games} || {STATE} === 'ended'"));
    check_end(browser);
}

fn check_end(browser: &Chromium) {
    browser.wait_until(&format!("{STATE} === 'ended'"));
    let crown = browser.evaluate_text(CROWN);
    assert!(crown.starts_with("Champion: greedy"), "{crown}");
    assert_eq!(
        browser.evaluate("return document.querySelectorAll('.standings tbody tr').length"),
        3
    );
}

fn check_not_reloaded(browser: &Chromium) {
    assert_eq!(browser.evaluate_text("return String(window.here)"), "still here");
    assert_eq!(browser.console_problems(), Vec::<String>::new());
}

#[test]
fn a_board_updates_itself_until_the_end() {
    let (server, browser) = hill_without_run(hills::live);
    let before =
        browser.evaluate_text("return document.getElementById('live').dataset.version ?? ''");
    let mut run = server.start(&hills::LIVE_RUN);
    check_live_updates(&browser);
    run.wait_for_success();
    let after = browser.evaluate_text("return document.getElementById('live').dataset.version");
    assert_ne!(before, after);
    let announcement = browser.evaluate_text("return document.getElementById('told').textContent");
    assert!(
        announcement.starts_with("Champion: greedy"),
        "the end is announced to screen readers: {announcement:?}"
    );
    check_not_reloaded(&browser);
    server.expect_no_warnings();
}

/// The keyboard focus and opened details survive updates of the board.
#[test]
fn focus_and_opened_details_survive_updates() {
    let (server, browser) = hill_without_run(hills::endless);
    let run = server.start(&hills::ENDLESS_RUN);
    browser.wait_until(&format!("{STATE} === 'playing' && {GAMES} > 0 && {DETAILS}"));
    browser.evaluate(&format!("{DETAILS}.open = true"));
    for place in PLACES {
        run.send("-STOP");
        browser.evaluate(&format!("document.querySelector({place:?}).focus()"));
        let has_focus = format!("document.activeElement?.matches({place:?})");
        browser.wait_until(&has_focus);
        let games = browser.evaluate_number(&format!("return {GAMES}"));
        run.send("-CONT");
        browser.wait_until(&format!("{GAMES} > {games}"));
        assert_eq!(browser.evaluate(&format!("return Boolean({has_focus})")), true, "{place}");
        assert_eq!(browser.evaluate(&format!("return {DETAILS}.open")), true, "{place}");
    }
    check_not_reloaded(&browser);
    check_replay_of_bar(&browser);
}

/// The game of the barred bot can be replayed while the others play on.
fn check_replay_of_bar(browser: &Chromium) {
    browser.open(
        &browser
            .evaluate_text(&format!("return {DETAILS}.closest('.bar').querySelector('a').href")),
    );
    assert_eq!(browser.texts("h1"), ["Offender is barred in game 32"]);
    browser.click("[data-go=last]");
    let announcement = browser.text("#said");
    assert!(announcement.contains("Offender") && announcement.contains("NONE"), "{announcement}");
    check_page(browser, "the game of a bar");
    assert_eq!(browser.console_problems(), Vec::<String>::new());
}

/// The details of the barred bot.
const DETAILS: &str = "document.querySelector('#live .bar details')";
/// Places that can have the keyboard focus.
const PLACES: [&str; 3] = [
    "#live .wide[aria-labelledby=board]",
    "#live .standings tbody tr:nth-child(2) a",
    "#live .bar summary",
];

/// A game of the run is played next to the board, until it is paused.
#[test]
fn a_game_of_the_run_is_played_next_to_the_board() {
    let (server, browser) = hill_without_run(hills::endless);
    let _run = server.start(&hills::ENDLESS_RUN_WITHOUT_BARS);
    let shown = "document.querySelector('.watch [data-move]')?.textContent.trim()";
    browser.wait_until(&format!("Boolean({shown})"));
    let points = "[...document.querySelectorAll('.watch .points')]";
    browser.wait_until(&format!("{points}.some((one) => Number(one.textContent) > 0)"));
    check_page(&browser, "a hill during a run");
    browser.click("[data-pause]");
    browser.wait_until("document.querySelector('[data-pause]').textContent === 'Go on'");
    let before = browser.evaluate_text(&format!("return {shown}"));
    let games = browser.evaluate_number(&format!("return {GAMES}"));
    browser.wait_until(&format!("{GAMES} > {games}"));
    assert_eq!(browser.evaluate_text(&format!("return {shown}")), before);
    check_not_reloaded(&browser);
}

/// Clients that never read do not block other viewers.
#[test]
fn stuck_clients_do_not_block_viewers() {
    let (mut server, browser) = hill_without_run(hills::live);
    let other = server.browser("other");
    other.open(&server.address("/hills/live"));
    other.evaluate("window.here = 'still here'");
    let _listener = send_and_never_read(&server, "/hills/live/live", 1);
    let _reader = send_and_never_read(&server, "/hills/live", 2000);
    let mut run = server.start(&hills::LIVE_RUN);
    check_live_updates(&browser);
    run.wait_for_success();
    check_end(&other);
    check_not_reloaded(&browser);
    check_not_reloaded(&other);
}

/// Sends this many requests for a page, and reads no response.
fn send_and_never_read(server: &TestServer, path: &str, times: usize) -> TcpStream {
    let mut stream = TcpStream::connect(server.host()).expect("the server takes everybody");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
    stream.set_nonblocking(true).expect("a socket can be set so");
    // As much as the system accepts.
    let _sent = stream.write(request.repeat(times).as_bytes()).expect("the first bytes go out");
    stream
}
