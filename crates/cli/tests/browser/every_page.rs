//! Every page has one heading, logs no problems, loads nothing from other hosts, is accessible, and fits every window.

use serde_json::json;

use crate::browser::chromium::Chromium;
use crate::browser::hills;
use crate::browser::page_checks::{
    ignored_preferences, narrow_violations, script_bytes, too_wide, violations,
};
use crate::browser::test_server::TestServer;

/// A page and its heading.
struct Expected {
    path: &'static str,
    heading: &'static str,
}

const fn page(path: &'static str, heading: &'static str) -> Expected {
    Expected { path, heading }
}

/// The pages of two games' hills. The hills are those of [`hills`].
const PAGES_OF_HILLS: [Expected; 13] = [
    page("/hills/yahtzee", "Spring yahtzee"),
    page("/hills/yahtzee/runs/1", "Spring yahtzee, run 1"),
    page("/hills/yahtzee/runs/1/bots/greedy", "greedy"),
    page("/hills/yahtzee/runs/1/bots/%D7%A7%D7%95%D7%91%D7%99%D7%95%D7%AA", "קוביות"),
    page("/hills/yahtzee/head-to-head", "Head to head"),
    page("/hills/liars-dice", "Superjedi's table"),
    page("/hills/liars-dice/runs/1", "Superjedi's table, run 1"),
    page("/hills/yahtzee/runs/1/games", "Games"),
    page("/hills/yahtzee/runs/1/games?bot=greedy", "Games of greedy"),
    page("/hills/yahtzee/runs/1/games/7", "Game 7"),
    page("/hills/liars-dice/bots/Nobody", "Nobody"),
    page("/hills/liars-dice/runs/1/games/7", "Game 7"),
    page("/hills/liars-dice/head-to-head", "Head to head"),
];

/// The other pages.
const OTHER_PAGES: [Expected; 22] = [
    page("/", "Hills"),
    page("/hills/empty", "Empty"),
    page("/hills/empty/enter", "Enter a bot"),
    page("/hills/empty/entries", "Entries"),
    page("/play", "Play"),
    page("/hills/history", "History"),
    page("/hills/history/runs/2/bots/greedy", "greedy"),
    page("/api", "API"),
    page("/hills/nowhere", "Not Found"),
    page("/nowhere", "Not Found"),
    page("/hills/yahtzee/runs/9", "Not Found"),
    page("/hills/yahtzee/runs/1/games/9999", "Not Found"),
    page("/hills/yahtzee/runs/1/games?from=x", "Bad Request"),
    page("/hills/empty/entries/9", "Not Found"),
    page("/tables/nowhere", "Not Found"),
    page("/docs/nowhere", "Not Found"),
    page("/docs", "The dicehill book"),
    page("/docs/board", "Understand a board"),
    page("/docs/bots/python", "A bot in Python"),
    page("/docs/environments", "Environments for reinforcement learning"),
    page("/docs/methods", "Methods"),
    page("/docs/SECURITY", "Security"),
];

/// The most compressed bytes of a page's scripts.
const MAX_SCRIPT_BYTES: u64 = 60_000;

#[test]
fn every_page_of_a_hill_is_accessible_and_self_contained() {
    check_pages(&PAGES_OF_HILLS);
}

#[test]
fn every_other_page_is_accessible_and_self_contained() {
    check_pages(&OTHER_PAGES);
}

fn check_pages(pages: &[Expected]) {
    let arguments = ["yahtzee.db", "liars-dice.db", "history.db", "empty.db", "--accept"];
    let mut server = TestServer::new(&arguments, |scratch| {
        hills::yahtzee(scratch);
        hills::liars_dice(scratch);
        hills::history(scratch);
        hills::empty(scratch);
    });
    let browser = server.browser("visitor");
    let mut wrong = Vec::new();
    for page in pages {
        browser.open(&server.address(page.path));
        wrong.extend(wrong_identity(&browser, page));
        wrong.extend(console_problems(&browser, &server, page.path));
        let checks = [violations, narrow_violations, ignored_preferences, too_wide];
        wrong.extend(checks.into_iter().flat_map(|check| check(&browser, page.path)));
        let bytes = script_bytes(&browser);
        if bytes >= MAX_SCRIPT_BYTES {
            wrong.push(format!("{}: {bytes} bytes of scripts", page.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.expect_no_warnings();
}

/// The difference from the expected title, heading and language.
fn wrong_identity(browser: &Chromium, page: &Expected) -> Option<String> {
    let found = browser.evaluate(
        "return { headings: [...document.querySelectorAll('h1')].map((h) => h.textContent),
            title: document.title, language: document.documentElement.lang }",
    );
    let is_titled = found["title"].as_str().is_some_and(|title| title.ends_with(" · dicehill"));
    let is_expected = found["headings"] == json!([page.heading]) && found["language"] == "en";
    (!is_titled || !is_expected).then(|| format!("{}: {found}", page.path))
}

/// Errors, policy violations, and resources of other hosts.
fn console_problems(browser: &Chromium, server: &TestServer, path: &str) -> Vec<String> {
    // The console reports a missing page too.
    let missing_page = format!("{} - Failed to load resource", server.address(path));
    let mut wrong = browser.console_problems();
    wrong.retain(|found| !found.starts_with(&missing_page));
    let loaded = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
    let loaded = browser.evaluate(loaded);
    let loaded = loaded.as_array().expect("a list");
    let loaded = loaded.iter().map(|address| address.as_str().unwrap_or_default().to_owned());
    let (same_origin, foreign): (Vec<_>, Vec<_>) =
        loaded.partition(|address| address.starts_with(&server.address("/")));
    assert!(!same_origin.is_empty(), "{path} has its style");
    wrong.extend(foreign);
    wrong.iter().map(|found| format!("{path}: {found}")).collect()
}

#[test]
fn every_chapter_fits_every_window() {
    let mut server = TestServer::new(&["empty.db"], hills::empty);
    let browser = server.browser("reader");
    browser.open(&server.address("/docs"));
    let chapters =
        "return [...document.querySelectorAll('.contents a')].map((a) => a.pathname).join()";
    let chapters = browser.evaluate_text(chapters);
    assert!(chapters.split(',').count() > 20, "{chapters}");
    let mut wrong = Vec::new();
    for chapter in chapters.split(',') {
        browser.open(&server.address(chapter));
        wrong.extend(too_wide(&browser, chapter));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn boards_can_be_read_without_scripts() {
    let mut server = TestServer::new(&["yahtzee.db"], hills::yahtzee);
    let browser = server.browser("visitor");
    browser.enable_scripts(false);
    browser.open(&server.address("/hills/yahtzee"));
    assert_eq!(
        browser.evaluate("return document.querySelectorAll('.standings tbody tr').length"),
        4
    );
    assert!(
        browser
            .evaluate_text("return document.querySelector('.crown').textContent")
            .contains("Champion: greedy")
    );
    assert_eq!(browser.console_problems(), Vec::<String>::new());
}
