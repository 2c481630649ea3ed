//! What holds on every page: it has one heading, complains of nothing, loads nothing from elsewhere, can be read by everybody, and fits
//! every window.

use serde_json::json;

use crate::browser::chromium::Chromium;
use crate::browser::hills;
use crate::browser::page_checks::{barriers, too_wide};
use crate::browser::test_server::TestServer;

/// A page and what its heading says.
struct Expected {
    path: &'static str,
    heading: &'static str,
}

const fn page(path: &'static str, heading: &'static str) -> Expected {
    Expected { path, heading }
}

/// The pages. The hills are those of [`hills`].
const PAGES: [Expected; 20] = [
    page("/", "Hills"),
    page("/hills/yahtzee", "Spring yahtzee"),
    page("/hills/yahtzee/runs/1", "Spring yahtzee, tournament 1"),
    page("/hills/yahtzee/runs/1/bots/greedy", "greedy"),
    page("/hills/yahtzee/runs/1/bots/%D7%A7%D7%95%D7%91%D7%99%D7%95%D7%AA", "קוביות"),
    page("/hills/yahtzee/head-to-head", "Head to head"),
    page("/hills/liars-dice", "Superjedi's table"),
    page("/hills/liars-dice/runs/1", "Superjedi's table, tournament 1"),
    page("/hills/yahtzee/runs/1/games", "Games"),
    page("/hills/yahtzee/runs/1/games?bot=greedy", "Games of greedy"),
    page("/hills/yahtzee/runs/1/games/7", "Game 7"),
    page("/hills/liars-dice/bots/Nobody", "Nobody"),
    page("/hills/liars-dice/runs/1/games/7", "Game 7"),
    page("/hills/liars-dice/head-to-head", "Head to head"),
    page("/hills/empty", "Empty"),
    page("/hills/empty/enter", "Enter a bot"),
    page("/hills/empty/entries", "Entries"),
    page("/play", "Play"),
    page("/api", "API"),
    page("/hills/nowhere", "Not Found"),
];

#[test]
fn every_page_is_sound() {
    let arguments = ["yahtzee.db", "liars-dice.db", "empty.db", "--accept"];
    let mut server = TestServer::new(&arguments, |scratch| {
        hills::yahtzee(scratch);
        hills::liars_dice(scratch);
        hills::empty(scratch);
    });
    let browser = server.browser("visitor");
    let mut wrong = Vec::new();
    for page in &PAGES {
        browser.open(&server.address(page.path));
        wrong.extend(identity(&browser, page));
        wrong.extend(complaints(&browser, &server, page.path));
        wrong.extend(barriers(&browser, page.path));
        wrong.extend(too_wide(&browser, page.path));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.is_content();
}

/// Whether the page says what it is.
fn identity(browser: &Chromium, page: &Expected) -> Option<String> {
    let said = browser.ask(
        "return { headings: [...document.querySelectorAll('h1')].map((h) => h.textContent),
            title: document.title, language: document.documentElement.lang }",
    );
    let is_titled = said["title"].as_str().is_some_and(|title| title.ends_with(" · dicehill"));
    let is_expected = said["headings"] == json!([page.heading]) && said["language"] == "en";
    (!is_titled || !is_expected).then(|| format!("{}: {said}", page.path))
}

/// Errors, breaches of the policy, and what is loaded from another host.
fn complaints(browser: &Chromium, server: &TestServer, path: &str) -> Vec<String> {
    // That a page is not there is said in the console too.
    let not_there = format!("{} - Failed to load resource", server.address(path));
    let mut wrong = browser.complaints();
    wrong.retain(|said| !said.starts_with(&not_there));
    let loaded = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
    let loaded = browser.ask(loaded);
    let loaded = loaded.as_array().expect("a list");
    let loaded = loaded.iter().map(|address| address.as_str().unwrap_or_default().to_owned());
    let (own, foreign): (Vec<_>, Vec<_>) =
        loaded.partition(|address| address.starts_with(&server.address("/")));
    assert!(!own.is_empty(), "{path} has its style");
    wrong.extend(foreign);
    wrong.iter().map(|said| format!("{path}: {said}")).collect()
}

#[test]
fn boards_can_be_read_without_scripts() {
    let mut server = TestServer::new(&["yahtzee.db"], hills::yahtzee);
    let browser = server.browser("visitor");
    browser.scripts(false);
    browser.open(&server.address("/hills/yahtzee"));
    assert_eq!(browser.ask("return document.querySelectorAll('.standings tbody tr').length"), 4);
    assert!(browser.ask_text("return document.body.innerText").contains("Champion: greedy"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
